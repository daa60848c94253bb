// The API report of each public entry, for reviews: `node scripts/packages/api.mjs` writes packages/*/api/*.api.md after
// `npm run build`; with `--check` it writes nothing and fails if one is not current.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
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

/** @returns the reports that were not current, or belong to no entry; with `update` they are written */
export function staleReports({ update = false } = {}) {
  const temporary = mkdtempSync(join(tmpdir(), "groupwise-api-"));
  const packages = publishedPackages();
  const entries = packages.flatMap((one) =>
    entriesOf(one).map((entry) => ({ folder: one.folder, ...entry })),
  );
  try {
    const configs = entries.map((entry) => configOf(entry, temporary));
    const additionalEntryPoints = entries.map(({ declarations }) => declarations);
    const compilerState = CompilerState.create(configs[0], { additionalEntryPoints });
    const stale = configs.filter((config, i) => {
      if (update) mkdirSync(join(entries[i].folder, "api"), { recursive: true });
      const messageCallback = (message) => {
        message.handled = true;
      };
      return Extractor.invoke(config, { compilerState, localBuild: update, messageCallback })
        .apiReportChanged;
    });
    return [...stale.map(({ reportFilePath }) => reportFilePath), ...leftOver(entries, update)].map((file) =>
      file.slice(ROOT.length + 1),
    );
  } finally {
    rmSync(temporary, { recursive: true });
  }
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
  const stale = staleReports({ update: !isCheck });
  for (const file of stale) console.log(`${isCheck ? "not current" : "wrote"}: ${file}`);
  if (isCheck && stale.length > 0) process.exitCode = 1;
}
