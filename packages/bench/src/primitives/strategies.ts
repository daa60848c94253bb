/** Strategies that are chosen by capabilities, whatever a device would choose. */
import { availableParallelism } from "node:os";
import type { Capabilities } from "@groupwise/core";
import { chunksFor, lookBackFor } from "@groupwise/core/target";

/** As a device that is not known to gain from look-back would have it. */
const MOST_WORK_ITEMS = 256;

function lookingBack({ chunks: _, ...known }: Capabilities): Capabilities {
  const { lookBack, maxWorkGroupSize } = known;
  const own = lookBackFor(Math.min(MOST_WORK_ITEMS, maxWorkGroupSize));
  return { ...known, lookBack: "unsupported" in lookBack ? own : lookBack };
}

const withoutLookBack = ({ chunks: _, ...known }: Capabilities): Capabilities => ({
  ...known,
  lookBack: { unsupported: "the benchmark was asked to leave it out" },
});

/**
 * The capabilities with which pipelines prefer a strategy. Those that it refuses are lowered by the next one, which their
 * rows name.
 */
export const STRATEGIES: Readonly<Record<StrategyName, (known: Capabilities) => Capabilities>> = {
  "look-back": lookingBack,
  "reduce-then-scan": withoutLookBack,
  chunks: (known) => ({ ...known, chunks: known.chunks ?? chunksFor(availableParallelism()) }),
};
export type StrategyName = "look-back" | "reduce-then-scan" | "chunks";
