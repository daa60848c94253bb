/** The strategies, in the order in which they are tried. */

import type { Checked } from "@groupwise/ir/document/check.js";
import { isRank, isScan } from "@groupwise/ir/document/collectives.js";
import type { Pipeline } from "@groupwise/ir/document/node.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Carrying, Strategy } from "./parts/strategy.ts";
import { lowerChunks } from "./strategies/chunks/lower.ts";
import { lowerLookBack } from "./strategies/look-back/lower.ts";
import { lowerPerOutput } from "./strategies/per-output/lower.ts";
import { lowerReduceThenScan } from "./strategies/reduce-then-scan/lower.ts";
import { lowerSequential } from "./strategies/sequential/lower.ts";

const needs =
  (execution: Capabilities["execution"], reason: string): Strategy["refuses"] =>
  (_, capabilities) =>
    capabilities.execution === execution ? undefined : reason;

function refusesPerOutput({ pipeline }: Checked, { execution }: Capabilities): string | undefined {
  if (execution !== "per-output") return "the implementation has loops or work-groups, which are faster";
  return pipeline.nodes.some(isRank)
    ? "a rank counts keys, and several items would write one element"
    : undefined;
}

function refusesChunks({ pipeline }: Checked, { execution, chunks }: Capabilities): string | undefined {
  if (execution !== "simt") return "the implementation has no work-groups";
  if (!chunks) return "the device is not known to have few wide cores";
  return pipeline.nodes.some(isRank) ? "work-groups count the keys of a rank" : undefined;
}

/** Whether a scan over the whole range combines records. */
const hasRecordScan = ({ nodes, operators = [] }: Pipeline): boolean =>
  nodes.some(
    (node) =>
      node.kind === "user-collective" && isScan(node) && (operators[node.operator]?.fields.length ?? 0) > 1,
  );

function refusesLookBack(
  { pipeline }: Checked,
  { execution, lookBack }: Capabilities,
  carrying?: Carrying,
): string | undefined {
  if (execution !== "simt") return "the implementation has no work-groups";
  if ("unsupported" in lookBack) return lookBack.unsupported;
  const scans = pipeline.nodes.some((node) => isScan(node) && node.scope === "device");
  if (!scans) return "no scan runs over the whole range";
  const isSlow = carrying !== undefined && lookBack.slowRecords && hasRecordScan(pipeline);
  return isSlow ? "over chunks, the device combines records faster in two passes" : undefined;
}

/** Every strategy, the preferred one first; the first that does not refuse is taken. */
export const STRATEGIES: readonly Strategy[] = [
  {
    name: "one-thread",
    summary: "one loop over the items for each pass; the result of a scan is available item by item",
    carries: "any",
    refuses: needs("sequential", "the implementation runs many work-items at once"),
    lower: lowerSequential,
  },
  {
    name: "per-output",
    summary: "a chain of passes, each output element is computed on its own from earlier arrays",
    refuses: refusesPerOutput,
    lower: lowerPerOutput,
  },
  {
    name: "chunks",
    summary:
      "for few wide cores: each work-item loops over a chunk of the range, then combines what precedes it",
    refuses: refusesChunks,
    lower: lowerChunks,
  },
  {
    name: "look-back",
    carries: "blocks",
    summary: "scans in one pass: each tile combines the published aggregates of the tiles before it",
    refuses: refusesLookBack,
    lower: lowerLookBack,
  },
  {
    name: "reduce-then-scan",
    carries: "blocks",
    summary: "tile totals, then their prefixes level by level, then the scan of each tile",
    refuses: needs("simt", "the implementation has no work-groups"),
    lower: lowerReduceThenScan,
  },
];

/** Why a strategy does not lower a pipeline; undefined if it may. */
export const refusalOf = (
  { refuses, carries }: Strategy,
  checked: Checked,
  capabilities: Capabilities,
  carrying?: Carrying,
): string | undefined =>
  refuses(checked, capabilities, carrying) ??
  (carrying && !carries ? "it takes no state of earlier items" : undefined);

/** The name of the strategy that is tried first. Nothing is lowered: what it makes of the pipeline may still be refused. */
export const preferredStrategy = (
  checked: Checked,
  capabilities: Capabilities,
  carrying?: Carrying,
): Strategy["name"] | undefined =>
  STRATEGIES.find((strategy) => refusalOf(strategy, checked, capabilities, carrying) === undefined)?.name;
