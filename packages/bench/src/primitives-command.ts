/** `npm run bench -- primitives`: chosen jobs, on the devices of targets, by strategies. */
import { DEFAULTS, TARGET_NAMES } from "@groupwise/cli/targets";
import { SCALAR_NAMES } from "@groupwise/core";
import { type Command, Option } from "commander";
import { STOP_RULE } from "./measure/samples.ts";
import { PEERS } from "./peers/cub.ts";
import { STRATEGIES } from "./primitives/strategies.ts";
import { type PrimitiveTimes, primitivesOf } from "./primitives.ts";
import { type Give, type ItemsIn, withOutput } from "./print/flags.ts";
import { printPrimitives } from "./report.ts";

const TYPES = [...SCALAR_NAMES, "u8", "u16", "i8", "i16"];

const options = (command: Command, itemsIn: ItemsIn): Command =>
  withOutput(command, "write JSON there, and Markdown beside it; of several results, one pair of files each")
    .option("--n <items>", "most elements, as 2^28", itemsIn, 2 ** 20)
    .option("--sizes <items>", "these numbers of elements, as 2^16,2^20, instead of powers of four", (text) =>
      text.split(",").map(itemsIn),
    )
    .option("--adapter <word>", "part of the device's name", process.env.GROUPWISE_ADAPTER ?? "default")
    .addOption(
      new Option("--target <names...>", "the targets whose devices they are: a result for each")
        .choices(TARGET_NAMES)
        .default([DEFAULTS.explain]),
    )
    .option("--only <words...>", "only primitives with one of the words in their names")
    .addOption(
      new Option("--types <names...>", "only primitives that read one of these types").choices(TYPES),
    )
    .addOption(
      new Option(
        "--strategy <names...>",
        "what pipelines prefer, instead of the choice of the device's capabilities: a result for each",
      ).choices(Object.keys(STRATEGIES)),
    )
    .option("--limit <milliseconds>", "for the samples of a length", Number, STOP_RULE.limitMs)
    .addOption(
      new Option("--peer <names...>", "measure this too, in the same run on the same card").choices(
        Object.keys(PEERS),
      ),
    );

/** What tells a result from the others of its run, for names of files. */
export function suffixesOf(
  results: readonly Pick<PrimitiveTimes, "device" | "strategy">[],
): readonly string[] {
  const texts = [results.map(({ device }) => device.target), results.map(({ strategy }) => strategy ?? "")];
  const differing = texts.filter((all) => new Set(all).size > 1);
  return results.map((_, i) => differing.map((all) => `-${all[i]}`).join(""));
}

/** Options and action. */
export function primitivesCommand(command: Command, itemsIn: ItemsIn, give: Give): void {
  options(command, itemsIn)
    .description("time per element of collectives and composed primitives, on arrays that stay on the device")
    .action(async ({ n, adapter, target, only, types, sizes, strategy, peer, limit, ...flags }) => {
      const results = await primitivesOf({
        ...{ n, device: adapter, targets: target, strategies: strategy, only, types, sizes, peers: peer },
        stopRule: { ...STOP_RULE, limitMs: limit },
        say: (line) => void process.stderr.write(`${line}\n`),
      });
      const suffixes = suffixesOf(results);
      results.forEach((result, i) => {
        const out = flags.out?.replace(/(\.json)?$/, `${suffixes[i]}.json`);
        give(`primitives${suffixes[i]}`, result, printPrimitives, { ...flags, ...(out && { out }) });
      });
      const isWrong = results.some(({ rows }) => rows.some(({ wrong }) => wrong !== undefined));
      process.exitCode = isWrong ? 1 : 0;
    });
}
