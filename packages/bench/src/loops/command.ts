/** Options and output of `npm run bench -- loops`. */
import type { Command } from "commander";
import type { Give, ItemsIn } from "../print/flags.ts";
import { itemsText, markdownTable, textTable } from "../print/tables.ts";
import { GOALS, type LoopsResult, loops } from "./loops.ts";

/** Ratios beyond their goals end with an exclamation mark. */
export function printLoops(result: LoopsResult, isMarkdown: boolean): string {
  const table = isMarkdown ? markdownTable : textTable;
  const goals = GOALS.map(({ of, to, most }) => ({ name: `${of} / ${to}`, most }));
  const head = goals.map(({ name, most }) => (most === undefined ? name : `${name} (${most})`));
  const rows = result.rows.map(({ which, type, n, times, ratios }) => [
    which,
    type,
    itemsText(n),
    (((times.hand?.medianMs ?? Number.NaN) * 1e6) / n).toFixed(2),
    ...goals.map(({ name, most }) => {
      const ratio = ratios[name];
      if (ratio === undefined) return "";
      return `${ratio.toFixed(2)}${most !== undefined && ratio > most ? "!" : ""}`;
    }),
  ]);
  const { cpu, commit, date, node } = result.surroundings;
  return `${[
    `${cpu}; Node ${node}; ${result.compiler} ${result.options.join(" ")}; ${result.device ?? "no OpenCL device"}; ${commit}; ${date}`,
    "",
    table([["", "type", "items", "hand, ns an item", ...head], ...rows]),
    ...result.absent.map(({ name, reason }) => `${name}: ${reason}`),
  ].join("\n")}\n`;
}

/** Options and action. */
export function loopsCommand(command: Command, itemsIn: ItemsIn, give: Give): void {
  command
    .description(
      "emitted C, JavaScript and an OpenCL device on this processor beside loops by hand, in turns",
    )
    .option(
      "--sizes <items>",
      "numbers of items, as 2^16,2^20",
      (text: string) => text.split(",").map(itemsIn),
      [2 ** 16, 2 ** 20, 2 ** 24],
    )
    .option("--only <words...>", "only jobs with one of the words in their names, such as compact or f32")
    .option("--device <word>", "part of the OpenCL device's name", "")
    .option("--compiler <command>", "the C compiler", "gcc")
    .option("--rounds <number>", "rounds of each job", Number)
    .option("--json", "the result as JSON")
    .option("--markdown", "the result as Markdown")
    .option("--save", "write JSON and Markdown to packages/bench/results too")
    .option("--out <file>", "write JSON there, and Markdown beside it")
    .action(async ({ sizes, only, device, compiler, rounds, ...flags }) => {
      const say = (line: string): void => void process.stderr.write(`${line}\n`);
      const result = await loops({ sizes, only, device, compiler, rounds, say });
      give("loops", result, printLoops, flags);
    });
}
