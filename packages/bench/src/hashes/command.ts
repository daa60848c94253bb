/** `npm run bench -- hashes`: the whole matrix, or a named part of it. */
import type { Command } from "commander";
import type { Give, ItemsIn } from "../print/flags.ts";
import { replaceFile } from "../print/replace.ts";
import { hashes } from "./hashes.ts";
import { DEFAULTS } from "./plan.ts";
import { isOneHash, printHashes } from "./print.ts";
import { type Hashes, readHashes } from "./result.ts";

/** Options and action. */
export function hashesCommand(command: Command, itemsIn: ItemsIn, give: Give): void {
  const listIn = (text: string): readonly number[] =>
    text.split(",").map((one) => one.split("+").reduce((sum, part) => sum + itemsIn(part), 0));
  command
    .description(
      "one hash of all result bits: ranks of MPI in C and on PoCL, groupwise run, and streams of files",
    )
    .option("--only <words...>", "only pipelines with one of the words in their names", [...DEFAULTS.only])
    .option("--library <words...>", "only MPI libraries with one of the words: linear, doubling, mpich")
    .option("--target <names...>", "only ranks that compute in c, or by opencl; none: no ranks")
    .option(
      "--device <words...>",
      "only runs on devices with one of the words: javascript, lavapipe, pocl; none",
    )
    .option("--ranks <numbers>", "numbers of ranks", listIn, DEFAULTS.ranks)
    .option("--chunks <items>", "items of a chunk, as 1,1000,2^20+7", listIn, DEFAULTS.chunks)
    .option("--n <items>", "items", itemsIn, DEFAULTS.n)
    .option("--long <items>", "items for few ranks, longer than the chunks; 0: none", itemsIn, DEFAULTS.long)
    .option("--few <ranks>", "the most ranks that are few", Number, DEFAULTS.fewRanks)
    .option("--short <items>", "items for chunks of any length on devices; 0: none", itemsIn, DEFAULTS.short)
    .option(
      "--great <items>",
      "items of some pipelines for more ranks in C; 0: none",
      itemsIn,
      DEFAULTS.great,
    )
    .option("--minutes <minutes>", "no job starts later", Number, DEFAULTS.minutes)
    .option("--json", "the result as JSON")
    .option("--markdown", "the result as Markdown")
    .option("--save", "write JSON and Markdown to packages/bench/results too")
    .option("--out <file>", "write JSON there after each job, and Markdown beside it in the end")
    .option("--resume", "continue the result of the same commit in the file of --out, if it is there")
    .action(async ({ only, library, target, device, ranks, chunks, n, ...options }) => {
      const { long, great, few, short, minutes, resume, ...flags } = options;
      const out = flags.out && `${flags.out.replace(/\.json$/, "")}.json`;
      const choice = {
        ...DEFAULTS,
        only,
        libraries: library ?? [],
        targets: target ?? [],
        devices: device ?? [],
        ...{ ranks, chunks, n, long, great, fewRanks: few, short, minutes },
        say: (line: string) => void process.stderr.write(`${line}\n`),
      };
      const result = await hashes(choice, {
        ...(out !== undefined && {
          earlier: resume ? readHashes(out) : undefined,
          save: (so: Hashes) => replaceFile(out, so),
        }),
      });
      give("hashes", result, printHashes, flags);
      process.exitCode = isOneHash(result) ? 0 : 1;
    });
}
