/** The strategies, in the order in which they are tried. */
import type { Capabilities, LookBack } from "../capabilities.ts";
import type { Checked } from "../ir/check.ts";
import { isScan } from "../ir/node.ts";
import type { Names } from "../kernel/build.ts";
import type { Buffer, Kernel } from "../kernel/stmt.ts";
import { lowerGather } from "./gather/lower.ts";
import type { Geometry } from "./geometry/index.ts";
import { lowerSequential } from "./sequential/lower.ts";
import { lowerSimt } from "./simt/lower.ts";

/** One way to lower a pipeline; the choice among them is made apart, by `refuses`. */
export interface Strategy {
  readonly name: "one-thread" | "gather-passes" | "look-back" | "reduce-then-scan";
  /** What it does, for `explain`. */
  readonly summary: string;
  /** Why it cannot be taken; undefined where it can. */
  refuses(checked: Checked, capabilities: Capabilities): string | undefined;
  /**
   * The kernels, in the order in which they run, and the arrays that they use.
   * @param names where names for kernels and arrays come from
   * @param geometry the shape of the range
   * @throws GroupwiseError `work-group-too-large`, `device-limit`
   */
  lower(
    checked: Checked,
    capabilities: Capabilities,
    names: Names,
    geometry: Geometry,
  ): { buffers: Buffer[]; kernels: Kernel[] };
}

const needs =
  (execution: Capabilities["execution"], reason: string): Strategy["refuses"] =>
  (_, capabilities) =>
    capabilities.execution === execution ? undefined : reason;

function refusesLookBack({ pipeline }: Checked, { execution, lookBack }: Capabilities): string | undefined {
  if (execution !== "simt") return "the implementation has no work-groups";
  if ("unsupported" in lookBack) return lookBack.unsupported;
  const scans = pipeline.nodes.some((node) => isScan(node) && node.scope === "device");
  return scans ? undefined : "no scan runs over the whole range";
}

/** Every strategy, the preferred one first; the first that does not refuse is taken. */
export const STRATEGIES: readonly Strategy[] = [
  {
    name: "one-thread",
    summary: "one loop over the items for each walk; scans are ready item by item",
    refuses: needs("sequential", "the implementation runs many work-items at once"),
    lower: (checked, _, names, geometry) => lowerSequential(checked, names, geometry),
  },
  {
    name: "gather-passes",
    summary: "a chain of passes, each output cell computed on its own from the arrays before",
    refuses: needs("gather", "the implementation has loops or work-groups, which are faster"),
    lower: lowerGather,
  },
  {
    name: "look-back",
    summary: "scans in one walk: each tile folds the published totals of those before it",
    refuses: refusesLookBack,
    lower: (checked, capabilities, names, geometry) =>
      lowerSimt(checked, capabilities, names, geometry, capabilities.lookBack as LookBack),
  },
  {
    name: "reduce-then-scan",
    summary: "totals of tiles, then prefixes of the totals level by level, then the scan of each tile",
    refuses: needs("simt", "the implementation has no work-groups"),
    lower: (checked, capabilities, names, geometry) => lowerSimt(checked, capabilities, names, geometry),
  },
];
