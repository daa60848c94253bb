/** Scatters of few slots combine in an array of the work-item, and at its end in their output: the loop has no atomics. */
import type { NodeId, ScatterNode, SinkNode } from "@groupwise/ir/document/node.js";
import { OPS } from "@groupwise/ir/tables/op.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import { constant, ne } from "@groupwise/kernel/language/make-expr.js";
import { capacityOf } from "../../parts/capacity.ts";
import { sinkRef } from "../../parts/storage.ts";
import type { Context } from "./context.ts";

/** Bins of a work-item, an eighth of the items of the shortest chunk, and the bytes of work-group memory for each: its own memory may be less. */
const MOST_BINS = 2 ** 13;
const BYTES_FOR_BIN = 16;

/** Maximum number of bins of a pass. */
export const mostBins = ({ workGroupMemory }: Pick<Capabilities, "workGroupMemory">): number =>
  Math.min(MOST_BINS, Math.floor(workGroupMemory / BYTES_FOR_BIN));

type Combining = ScatterNode & Required<Pick<ScatterNode, "combine" | "capacity">>;
const combines = (sink: SinkNode): sink is Combining =>
  sink.kind === "scatter" && sink.combine !== undefined && sink.capacity !== undefined;

interface Bins {
  readonly arrays: ReadonlyMap<NodeId, ArrayRef>;
  /** After the loop. */
  flush(code: Code): void;
}

/** Takes scatters in the order of the document while bins are left. */
export function binsFor({ checked, mostBins: most }: Context, code: Code, sinks: readonly SinkNode[]): Bins {
  const arrays = new Map<NodeId, ArrayRef>();
  const flushes: ((code: Code) => void)[] = [];
  let left = most;
  for (const sink of sinks.filter(combines)) {
    const slots = capacityOf(checked, sink.capacity);
    if (typeof slots !== "number" || slots === 0 || slots > left) continue;
    left -= slots;
    const type = checked.types[sink.id] as Scalar;
    const identity = OPS[sink.combine].identity(type);
    const array = code.array(`${sink.name}_bins`, type, slots);
    arrays.set(sink.id, array);
    if (identity !== SCALARS[type].wrap(0))
      code.for("bin", 0, slots, (body, bin) => body.store(array, bin, constant(type, identity)));
    flushes.push((after) =>
      after.for("bin", 0, slots, (body, bin) => {
        const value = body.let("value", body.load(array, bin));
        const output = sinkRef(checked, sink);
        body.if(ne(value, constant(type, identity)), (some) => some.atomic(sink.combine, output, bin, value));
      }),
    );
  }
  const flush = (after: Code): void => {
    for (const one of flushes) one(after);
  };
  return { arrays, flush };
}
