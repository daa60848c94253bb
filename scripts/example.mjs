// Runs an example on its data or yours: `npm run example -- NAME [FILE[:COLUMN]] [--target NAMES] [--device PART]`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { targetsOf } from "../packages/cli/dist/base/target-list.js";
import { choose, survey } from "../packages/cli/dist/devices/index.js";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const EXAMPLES = join(ROOT, "examples");
const USE = "npm run example -- NAME [FILE[:COLUMN]] [--target js|wgsl|opencl|all] [--device PART]";

async function example(argv) {
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { target: { type: "string", default: "js" }, device: { type: "string" } },
  });
  const [name = "", source, ...more] = positionals;
  const path = join(EXAMPLES, `${name}.ts`);
  const module = !more.length && existsSync(path) && (await importModule(path));
  if (!module?.main) return help(name);
  // npm starts scripts in the repository; the file name is relative to the user's folder.
  const [base, file, column] = source
    ? [process.env.INIT_CWD ?? ".", ...split(source)]
    : [EXAMPLES, ...split(module.source)];
  const bytes = readFileSync(resolve(base, file));
  const session = { bytes, column: column ?? split(module.source)[1] ?? "" };

  const targets = targetsOf(values.target);
  const wish = values.device ?? (values.target.split(",").includes("all") ? "all" : undefined);
  for (const device of choose(await survey(targets), targets, wish)) {
    console.log(`\n${name} on ${device.target}: ${device.name}`);
    const runtime = await device.open();
    try {
      await module.main({ ...session, runtime, print: (line) => console.log(line) });
    } finally {
      runtime.dispose();
    }
  }
  return 0;
}

/** `FILE:COLUMN`; a column has no slash, so that `C:\data.csv` is a file. */
const split = (source) => /^(.*?)(?::([^:/\\]+))?$/.exec(source).slice(1);

/** The TypeScript loader of the command line, because Node 20 has none. */
function importModule(path) {
  const { createJiti } = createRequire(join(ROOT, "packages/cli/package.json"))("jiti");
  const nativeModules = [
    ...["@groupwise/dsl", "@groupwise/core", "@groupwise/primitives", "@groupwise/arrow"],
    "apache-arrow",
  ];
  return createJiti(path, { fsCache: false, nativeModules }).import(path);
}

function help(name) {
  if (name) console.error(`there is no example ${name}`);
  const names = readdirSync(EXAMPLES).filter((file) => file.endsWith(".ts"));
  const programs = names.filter((file) =>
    readFileSync(join(EXAMPLES, file), "utf8").includes("function main("),
  );
  console.error(`${USE}\nExamples: ${programs.map((file) => basename(file, ".ts")).join(", ")}`);
  return 2;
}

try {
  process.exitCode = await example(process.argv.slice(2));
} catch (error) {
  console.error(`${error.where ? `${error.where}: ` : ""}${error.what ?? error.message}`);
  if (error.hint) console.error(`  ${error.hint}`);
  process.exitCode = 2;
}
// The process exits explicitly, because drivers keep threads running.
process.exit();
