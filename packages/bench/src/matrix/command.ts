/** `npm run bench -- matrix`: the suite and random cases on every implementation that is installed, each in a process of its own. */
import { existsSync, readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { type Give, withOutput } from "../print/flags.ts";
import { replaceFile } from "../print/replace.ts";
import { type Matrix, PARTS, type PartName } from "./result.ts";

export function matrixCommand(command: Command, give: Give): void {
  withOutput(
    command,
    "write JSON there after each row, and Markdown beside it; rows of others that it has are kept",
  )
    .description(
      "the suite and random cases on every implementation that is installed, each in its own process",
    )
    .option("--trees <count>", "random trees for each", Number, 10_000)
    .option("--pipelines <count>", "random pipelines for each", Number, 1000)
    .addOption(
      new Option("--parts <names...>", "only these; rows of the file keep their others").choices(PARTS),
    )
    .option("--only <words...>", "only implementations with one of the words in their names")
    .option(
      "--seconds <seconds>",
      "time for an answer of a device, after which its process is ended",
      Number,
      180,
    )
    .option("--row-seconds <seconds>", "begin nothing new after that, for each implementation", Number, 7200)
    .option("--jobs <count>", "processes of an implementation at a time", Number, 1)
    .action(async ({ trees, pipelines, parts = PARTS, only = [], seconds, rowSeconds, jobs, ...flags }) => {
      // It needs development packages, which the other commands do not.
      const { matrix } = await import("./matrix.ts");
      const { printMatrix } = await import("./print.ts");
      const { isRight } = await import("./result.ts");
      const result = await matrix({
        ...{ trees, pipelines, parts: parts as readonly PartName[], only, seconds, rowSeconds, jobs },
        say: (line) => void process.stderr.write(`${line}\n`),
        ...(flags.out && existsSync(flags.out) && { known: JSON.parse(readFileSync(flags.out, "utf8")) }),
        ...(flags.out && { keep: (rows: Matrix) => replaceFile(flags.out, rows) }),
      });
      give("matrix", result, printMatrix, flags);
      process.exitCode = isRight(result) ? 0 : 1;
    });
}
