/** `npm run bench -- growth`: chosen jobs on one device, at all lengths. */
import { DEFAULTS, TARGET_NAMES } from "@groupwise/cli/targets";
import { type Command, Option } from "commander";
import { growthOf, printGrowth } from "./growth.ts";
import { STOP_RULE } from "./measure/samples.ts";
import { primitives } from "./primitives.ts";
import { type Give, type ItemsIn, withOutput } from "./print/flags.ts";
import { replaceFile } from "./print/replace.ts";

/** Options and action. */
export function growthCommand(command: Command, itemsIn: ItemsIn, give: Give): void {
  withOutput(command, "write JSON there after each primitive, and Markdown beside it at the end")
    .description("time an item of collectives and primitives by length, to the end of the device's memory")
    .option(
      "--n <items>",
      "most elements, as 2^28; by default until the device has no memory",
      itemsIn,
      2 ** 31,
    )
    .option("--adapter <word>", "part of the device's name", process.env.GROUPWISE_ADAPTER ?? "default")
    .addOption(
      new Option("--target <name>", "the target whose device it is")
        .choices(TARGET_NAMES)
        .default(DEFAULTS.explain),
    )
    .option("--only <words...>", "only primitives with one of the words in their names")
    .option("--until <seconds>", "no longer arrays than one that takes so long", Number, 10)
    .option("--recordings <count>", "most recordings of a submission: few for CPUs", Number)
    .option("--limit <milliseconds>", "for the samples of a length", Number, STOP_RULE.limitMs)
    .action(async ({ n, adapter, target, only, until, limit, recordings, ...flags }) => {
      const result = await primitives({
        ...{ n, device: adapter, target, only, untilMs: 1000 * until },
        ...(recordings !== undefined && { recordings }),
        stopRule: { ...STOP_RULE, limitMs: limit },
        say: (line) => void process.stderr.write(`${line}\n`),
        ...(flags.out && { keep: (times) => replaceFile(flags.out, growthOf(times)) }),
      });
      give("growth", growthOf(result), printGrowth, flags);
      process.exitCode = result.rows.some(({ wrong }) => wrong !== undefined) ? 1 : 0;
    });
}
