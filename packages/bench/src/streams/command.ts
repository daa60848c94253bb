/** Options and output of `npm run bench -- stream`. */
import type { Command } from "commander";
import { medianOf, samplesOf } from "../measure/samples.ts";
import type { Give, ItemsIn } from "../print/flags.ts";
import { itemsText, markdownTable, textTable } from "../print/tables.ts";
import { type StreamsResult, streams } from "./streams.ts";

/** What a stream waits for, in the order of its loop. */
const PARTS = ["reading", "computing", "writing", "finishing"] as const;

/** Shares are those of the rate of the program that moves as many bytes. */
export function printStreams({ rows, n, surroundings }: StreamsResult, isMarkdown: boolean): string {
  const table = isMarkdown ? markdownTable : textTable;
  const lines = rows.map(({ pipeline, by, chunk, workers, spent, times, starts, share, shareLater }) => {
    const { medianMs, leastMs } = samplesOf(times, "runs");
    const rate = (ms: number): string => (n / ms / 1000).toFixed(0);
    return [
      pipeline,
      workers === undefined ? by : `${by}, ${workers} workers`,
      chunk === undefined ? "" : itemsText(chunk),
      rate(medianMs),
      rate(leastMs),
      share.toFixed(2),
      starts ? medianOf([...starts].sort((a, b) => a - b)).toFixed(0) : "",
      shareLater.toFixed(2),
      ...PARTS.map((part) => spent?.[part]?.toFixed(0) ?? ""),
    ];
  });
  const head = [
    "",
    "by",
    "chunk",
    "million items/s, median",
    "best",
    "share",
    "start, ms",
    "share without start",
    ...PARTS.map((part) => `${part}, ms`),
  ];
  const { cpu, cores, commit, date, node } = surroundings;
  const about = `${itemsText(n)} f32 in a file; ${cpu}, ${cores} cores; Node ${node}; ${commit}; ${date}`;
  return `${about}\n\n${table([head, ...lines])}\n`;
}

/** Options and action. */
export function streamCommand(command: Command, itemsIn: ItemsIn, give: Give): void {
  const listIn = (text: string): readonly number[] => text.split(",").map(itemsIn);
  command
    .description("groupwise run --stream beside programs that move as many bytes, in turns")
    .option("--n <items>", "items of the file, as 2^28", itemsIn, 2 ** 26)
    .option("--target <names...>", "targets", ["c", "js"])
    .option("--chunks <items>", "items of a chunk, as 2^16,2^20; 0: the default", listIn, [0])
    .option("--workers <numbers>", "threads, as 0,8; 0: one thread, without messages", listIn, [0])
    .option("--rounds <number>", "rounds", Number, 5)
    .option("--only <names...>", "only totals, which reads, or sums, which reads and writes", [])
    .option("--sparse", "a file of zeros that takes no room on the disk")
    .option("--directory <path>", "the folder for the files; default: that for temporary files")
    .option("--json", "the result as JSON")
    .option("--markdown", "the result as Markdown")
    .option("--save", "write JSON and Markdown to packages/bench/results too")
    .option("--out <file>", "write JSON there, and Markdown beside it")
    .action(async ({ n, target, chunks, workers, rounds, only, sparse, directory, ...flags }) => {
      const say = (line: string): void => void process.stderr.write(`${line}\n`);
      const more = { isSparse: Boolean(sparse), directory, say };
      give(
        "stream",
        await streams({ n, targets: target, chunks, workers, rounds, only, ...more }),
        printStreams,
        flags,
      );
    });
}
