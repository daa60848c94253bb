// The API report of each public entry, for reviews: `npm run api` writes packages/*/api/*.api.md;
// with `-- --check` it writes nothing and fails if one is not current.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { entriesOf, internalPackages, publishedPackages, ROOT } from "./published.mjs";

const SILENT = { default: { logLevel: "none" } };
const COMPILER_OPTIONS = {
  target: "es2023",
  lib: ["es2023", "dom"],
  module: "nodenext",
  strict: true,
  skipLibCheck: true,
  types: ["node"],
};

/** The report of `gpu-js/runtime` is gpu-js.runtime.api.md, that of the package's main entry is index.api.md. */
const fileOf = (path) => `${path === "." ? "index" : path.slice(2).replaceAll("/", ".")}.api.md`;

const configOf = ({ folder, path, declarations }, temporary) =>
  ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: declarations,
      bundledPackages: internalPackages(),
      newlineKind: "lf",
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [declarations] } },
      apiReport: {
        enabled: true,
        reportFileName: fileOf(path).replace(/\.api\.md$/, ""),
        reportFolder: join(folder, "api"),
        reportTempFolder: temporary,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: SILENT,
        tsdocMessageReporting: SILENT,
        compilerMessageReporting: SILENT,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
  });

/**
 * Types that exported ones mention, and nobody needs to write. TypeDoc requires all others to be exported, but only if the package that exports
 * a type also defines it: those of core are checked here.
 */
const UNWRITTEN =
  "ArrayOf CATALOGUE Carrying Geometry GivenNames HostOf InStep Inside LawSpec MonoidNode NodeBase ParamOf Root ScalarOf SideNode Spec StepNames " +
  "TUNING_FORMAT TUNING_VERSION Tried Tunable Typed TypedOutputs VoteBase";

/** @returns the reports that were not current, or belong to no entry; with `update` they are written; and the types of core that no entry exports */
export function apiProblems({ update = false } = {}) {
  const temporary = mkdtempSync(join(tmpdir(), "groupwise-api-"));
  const packages = publishedPackages();
  const entries = packages.flatMap((one) =>
    entriesOf(one).map((entry) => ({ folder: one.folder, ...entry })),
  );
  try {
    const configs = entries.map((entry) => configOf(entry, temporary));
    const additionalEntryPoints = entries.map(({ declarations }) => declarations);
    const compilerState = CompilerState.create(configs[0], { additionalEntryPoints });
    const forgotten = new Set();
    const stale = configs.filter((config, i) => {
      if (update) mkdirSync(join(entries[i].folder, "api"), { recursive: true });
      const messageCallback = (message) => {
        message.handled = true;
        if (message.messageId === "ae-forgotten-export" && entries[i].folder.endsWith("core"))
          forgotten.add(message.text.match(/"(\w+)"/)[1]);
      };
      return Extractor.invoke(config, { compilerState, localBuild: update, messageCallback })
        .apiReportChanged;
    });
    const files = [...stale.map(({ reportFilePath }) => reportFilePath), ...leftOver(entries, update)];
    return { stale: files.map((file) => file.slice(ROOT.length + 1)), unexported: unexported(forgotten) };
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** The names that no report of core exports. */
function unexported(names) {
  const folder = join(ROOT, "packages/core/api");
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
  return [...names].filter(
    (name) =>
      !UNWRITTEN.split(" ").includes(name) &&
      !new RegExp(`^export (\\{|(declare |abstract )*\\w+) ${name}\\b`, "m").test(text),
  );
}

function leftOver(entries, update) {
  const wanted = new Set(entries.map(({ folder, path }) => join(folder, "api", fileOf(path))));
  const folders = [...new Set(entries.map(({ folder }) => join(folder, "api")))];
  const found = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const left = found.filter((file) => !wanted.has(file));
  if (update) for (const file of left) rmSync(file);
  return left;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isCheck = process.argv.includes("--check");
  const { stale, unexported } = apiProblems({ update: !isCheck });
  for (const file of stale) console.log(`${isCheck ? "not current" : "wrote"}: ${file}`);
  for (const name of unexported) console.log(`no entry of core exports ${name}`);
  if ((isCheck && stale.length > 0) || unexported.length > 0) process.exitCode = 1;
}
