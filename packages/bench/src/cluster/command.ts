/** `npm run bench -- cluster`: the plan of a run on many machines. */
import type { Command } from "commander";
import type { Give, ItemsIn } from "../print/flags.ts";
import { markdownTable, textTable } from "../print/tables.ts";
import { type Cluster, cluster, printCluster } from "./cluster.ts";

/** Options and action. */
export function clusterCommand(command: Command, itemsIn: ItemsIn, give: Give): void {
  command
    .description("bytes, messages and time of sums on many ranks, on paper, from the rates of this machine")
    .option("--ranks <number>", "ranks", itemsIn, 1e4)
    .option("--items <number>", "items of all ranks, as 10^15", itemsIn, 1e15)
    .option("--chunk <items>", "items of a chunk", itemsIn, 2 ** 20)
    .option("--latency <microseconds>", "assumed: of a message between machines", Number, 2)
    .option("--network <bytes>", "assumed: bytes per second of a rank's network", itemsIn, 1e10)
    .option("--files <bytes>", "assumed: bytes per second of all files", itemsIn, 1e12)
    .option("--n <items>", "items that are measured", itemsIn, 2 ** 24)
    .option("--json", "the result as JSON")
    .option("--markdown", "the result as Markdown")
    .option("--save", "write JSON and Markdown to packages/bench/results too")
    .option("--out <file>", "write JSON there, and Markdown beside it")
    .action(async ({ latency, network, files, ranks, items, chunk, n, ...flags }) => {
      const rates = { latencyUs: latency, networkRate: network, fileRate: files };
      const result = await cluster({ ranks, items, chunk, n, ...rates });
      const print = (plan: Cluster, isMarkdown: boolean): string =>
        printCluster(plan, isMarkdown ? markdownTable : textTable);
      give("cluster", result, print, flags);
      process.exitCode = result.rates.length > 0 ? 0 : 1;
    });
}
