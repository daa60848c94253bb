/**
 * `npm run bench --
 * suite|hashes|primitives|growth|first-runs|random|functions|matrix|goldens`.
 * Exit codes: 0 success, 1 something differs, 2 usage error.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, Option } from "commander";
import type { Choice } from "./devices/devices.ts";
import { FIRST_TARGETS } from "./first/pipelines.ts";
import { updateGoldens } from "./goldens.ts";
import { growthCommand } from "./growth-command.ts";
import { hashes, isOneHash } from "./hashes/hashes.ts";
import { printHashes } from "./hashes/print.ts";
import { matrixCommand } from "./matrix/command.ts";
import { primitivesCommand } from "./primitives-command.ts";
import { type Give, type OutputFlags, withOutput } from "./print/flags.ts";
import { printSuite } from "./report.ts";
import { isPassed, suite } from "./suite.ts";
import { functionsCommand } from "./sweeps/command.ts";

interface Flags extends OutputFlags {
  readonly full?: boolean;
  readonly device?: readonly string[];
}

const RESULTS = fileURLToPath(new URL("../results", import.meta.url));
/** A status line on a terminal, and a line each in files and pipes, which are written at once: a log that is cut off shows where. */
const say = (line: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
  else if (line !== "") process.stderr.write(`${line}\n`);
};

/** Prints a result; with --save writes it as JSON and Markdown too. */
const give: Give = (name, result, print, flags) => {
  say("");
  const json = `${JSON.stringify(result, null, 1)}\n`;
  const base = flags.out?.replace(/\.json$/, "") ?? (flags.save ? join(RESULTS, name) : undefined);
  if (base !== undefined) {
    mkdirSync(dirname(base), { recursive: true });
    writeFileSync(`${base}.json`, json);
    writeFileSync(`${base}.md`, print(result, true));
  }
  process.stdout.write(flags.json ? json : print(result, Boolean(flags.markdown)));
};

const common = (command: Command): Command =>
  withOutput(command)
    .option("--full", "all sizes, and the devices that compile slowly; minutes")
    .option("--device <words...>", "only devices whose name holds one of the words");

const choiceOf = (flags: Flags): Choice => ({
  isFull: Boolean(flags.full),
  only: flags.device ?? [],
  say,
});

const program = new Command("bench")
  .description("What groupwise's devices give, and how fast")
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : 2);
  });
interface SuiteFlags extends Flags {
  readonly check?: readonly string[];
  readonly tuning?: string;
  readonly items?: number;
}
/** 1000, 2^28, or 2^20+7. */
const itemsIn = (text: string): number => {
  const [first = "", more = "0"] = text.split("+");
  const [base, power = "1"] = first.split("^");
  return Number(base) ** Number(power) + Number(more);
};
common(program.command("suite").description("every check of the conformance suite on every device"))
  .option("--check <words...>", "only checks with one of the words in their names")
  .option(
    "--tuning <file>",
    "with the sizes of tiles that `groupwise tune` wrote, on devices of its hardware",
  )
  .option("--items <items>", "the sizes for so many items, as 2^20; default: those for many", itemsIn)
  .action(async ({ check, tuning: path, items, ...flags }: SuiteFlags) => {
    const choice = { ...choiceOf(flags), checks: check ?? [], ...(path && { tuning: { path, items } }) };
    const result = await suite(choice);
    give("suite", result, printSuite, flags);
    process.exitCode = isPassed(result) ? 0 : 1;
  });
interface HashesFlags extends Flags {
  readonly items: number;
  readonly only?: readonly string[];
  readonly against?: readonly string[];
}
common(program.command("hashes").description("one hash of ten pipelines for all devices, views and chunks"))
  .option("--items <items>", "numbers of items, as 1000, 2^28 or 2^20+7", itemsIn, 2 ** 20 + 7)
  .option("--only <words...>", "only pipelines with one of the words in their names")
  .option("--against <files...>", "JSON of earlier results, of other machines: their devices join the table")
  .action(async ({ items, only, against, ...flags }: HashesFlags) => {
    const choice = { ...choiceOf(flags), items, pipelines: only ?? [], against: against ?? [] };
    const result = await hashes(choice);
    give("one-hash", result, printHashes, flags);
    process.exitCode = isOneHash(result) ? 0 : 1;
  });
primitivesCommand(program.command("primitives"), itemsIn, give);
growthCommand(program.command("growth"), itemsIn, give);
withOutput(program.command("first-runs"))
  .description(
    "the first run of a process, with nothing kept and with what is kept; small runs beside calls of WebGPU",
  )
  .addOption(
    new Option("--target <names...>", "the targets").choices(FIRST_TARGETS).default(FIRST_TARGETS, "all"),
  )
  .option("--adapter <word>", "part of the device's name", process.env.GROUPWISE_ADAPTER)
  .option("--n <items>", "items of a run, as 2^20", itemsIn, 2 ** 20)
  .action(async ({ target: targets, adapter, n, ...flags }) => {
    const { firstRuns, isRight, printFirstRuns } = await import("./first/first-runs.ts");
    const result = await firstRuns({ targets, adapter, n, say });
    give("first-runs", result, printFirstRuns, flags);
    process.exitCode = isRight(result) ? 0 : 1;
  });
program
  .command("random")
  .description("random float expressions, pipelines and pairs of nodes against the reference")
  .option("--kind <kind>", "expressions, pipelines, pairs, vectors or documents", "expressions")
  .option("--count <cases>", "cases for each device and type", Number, 1000)
  .option("--seed <text>", "what everything random follows from", "1")
  .option("--seconds <seconds>", "begin nothing new after that, for each device and type", Number)
  .option("--small", "pipelines and pairs of few nodes, for devices that compile slowly")
  .option("--from <number>", "the number of the first case", Number)
  .option(
    "--batch <documents>",
    "pipelines or documents of pairs that are compiled as one, at most 16",
    Number,
  )
  .option("--most <failures>", "failures that are made small and printed", Number)
  .option("--type <types...>", "float types of expressions: f16, f32, f64")
  .option(
    "--device <words...>",
    "only devices whose name holds one of the words; for a word of none, implementations of the matrix",
  )
  .option("--json", "the result as JSON")
  .action(async ({ type, device, small, json, ...given }) => {
    const { isSame, printRandom, random } = await import("./random/random.ts");
    const result = await random({
      ...given,
      types: type ?? [],
      only: device ?? [],
      ...(small && { size: "small" }),
      say: (line: string) => void process.stderr.write(`${line}\n`),
    });
    process.stdout.write(json ? `${JSON.stringify(result, null, 1)}\n` : printRandom(result));
    process.exitCode = isSame(result) ? 0 : 1;
  });
program.addCommand(functionsCommand(itemsIn));
matrixCommand(program.command("matrix"), give);
program
  .command("goldens")
  .description("write packages/testkit/golden again")
  .action(() => {
    console.log(`${updateGoldens()} files written to packages/testkit/golden; read what changed`);
  });

await program.parseAsync().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
