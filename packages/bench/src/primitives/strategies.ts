/** Strategies that are chosen by capabilities, whatever a device would choose. */
import { availableParallelism } from "node:os";
import type { Capabilities } from "@groupwise/core";
import { chunksFor, lookBackFor } from "@groupwise/core/target";

function lookingBack({ chunks: _, ...known }: Capabilities): Capabilities {
  const { lookBack } = known;
  return { ...known, lookBack: "unsupported" in lookBack ? lookBackFor(known) : lookBack };
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
