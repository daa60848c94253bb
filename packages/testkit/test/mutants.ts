/** Runtimes that compute by the reference, with one fault. */
import {
  type Capabilities,
  type Checked,
  check,
  type Op,
  type PipelineNode,
  type Runtime,
  type RunValues,
  type Scalar,
  type ScalarValue,
} from "@groupwise/core";
import {
  OPS,
  OWN_SCRATCH,
  pipelineOf,
  type ReduceNode,
  SCALARS,
  type ScanNode,
  typeOfSink,
  type UntypedCompile,
  withoutArrays,
} from "@groupwise/core/target";
import { prefixes } from "../../ir/test/fenwick.ts";
import { toArray, toValues } from "../src/data/arrays.ts";
import { expected, itemsOf } from "../src/data/oracle.ts";

type Monoid = ReduceNode | ScanNode;
type Combine = (a: ScalarValue, b: ScalarValue) => ScalarValue;
/** All prefixes of a group. */
type Prefixes = (x: readonly ScalarValue[], combine: Combine) => ScalarValue[];

/** The parts that a fault replaces. */
export interface Fault {
  readonly prefixes?: Prefixes;
  /** The operator itself. */
  readonly apply?: (op: Op, type: Scalar, a: ScalarValue, b: ScalarValue) => ScalarValue;
  /** Element 0 of an exclusive scan, and the reduce of an empty range. */
  readonly identity?: (op: Op, type: Scalar) => ScalarValue;
  /** A value that is combined with every prefix, like a carry of an empty prefix. */
  readonly seed?: (op: Op, type: Scalar) => ScalarValue;
  /** Changes the values of a work-group after the collective. */
  readonly after?: (
    node: Monoid,
    group: { start: number; size: number; length: number },
    values: ScalarValue[],
  ) => void;
}

export const fenwick: Prefixes = (x, combine) => prefixes<ScalarValue>(x, 0, combine).slice(1);
export const leftToRight: Prefixes = (x, combine) => {
  let sum: ScalarValue | undefined;
  return x.map((v) => {
    sum = sum === undefined ? v : combine(sum, v);
    return sum;
  });
};
export const rightToLeft: Prefixes = (x, combine) =>
  x.map((_, i) => x.slice(0, i + 1).reduceRight((sum, v) => combine(v, sum)));
/** Sums of tiles in order, then the items of the tile, as in a kernel without the fixed order. */
export const tiles =
  (size: number): Prefixes =>
  (x, combine) => {
    let carry: ScalarValue | undefined;
    const all: ScalarValue[] = [];
    for (let at = 0; at < x.length; at += size) {
      const own = leftToRight(x.slice(at, at + size), combine);
      all.push(...own.map((v) => (carry === undefined ? v : combine(carry, v))));
      carry = all.at(-1);
    }
    return all;
  };
/** Hillis and Steele's scan: each round adds the value 2^k before. */
export const doubling: Prefixes = (x, combine) => {
  let now = [...x];
  for (let d = 1; d < x.length; d *= 2) {
    now = now.map((v, i) => (i < d ? v : combine(now[i - d] as ScalarValue, v)));
  }
  return now;
};

export const CAPABILITIES: Capabilities = {
  execution: "sequential",
  scalars: Object.fromEntries(
    Object.keys(SCALARS).map((type) => [type, "native"]),
  ) as Capabilities["scalars"],
  maxWorkGroupSize: 1024,
  workGroupMemory: 32_768,
  maxItems: 0xffffffff,
  tile: { workGroupSize: 64, itemsPerWorkItem: 4 },
  surplusGroups: false,
  halfMemory: "u16",
  boolMemory: "u32",
  narrow: "native",
  subgroups: { unsupported: "it computes by the reference" },
  lookBack: { unsupported: "it computes by the reference" },
  groupFunctions: [],
  leastGroup: 3,
  scatter: "native",
  expand: [],
};

/** A group's values after a faulty collective: one for each item, or one. */
function collect(
  node: Monoid,
  x: readonly ScalarValue[],
  start: number,
  size: number,
  fault: Fault,
): ScalarValue[] {
  const { op, type } = node;
  const apply = fault.apply ?? ((o, t, a, b) => OPS[o].apply(t, a, b));
  const identity = fault.identity?.(op, type) ?? OPS[op].identity(type);
  const normal = op.startsWith("logical") ? x.map((v) => OPS[op].apply(type, v, OPS[op].identity(type))) : x;
  const seed = fault.seed?.(op, type);
  let inclusive = (fault.prefixes ?? fenwick)(normal, (a, b) => apply(op, type, a, b));
  if (seed !== undefined) inclusive = inclusive.map((v) => apply(op, type, seed, v));
  const values = {
    reduce: [inclusive.at(-1) ?? identity],
    "scan-inclusive": inclusive,
    "scan-exclusive": [identity, ...inclusive].slice(0, x.length),
  }[node.kind];
  fault.after?.(node, { start, size, length: x.length }, values);
  return values;
}

const isMonoid = (node: PipelineNode | undefined): node is Monoid =>
  node?.kind === "reduce" || node?.kind === "scan-inclusive" || node?.kind === "scan-exclusive";

/** The outputs that are collectives themselves, computed again with the fault. */
function spoil(
  checked: Checked,
  values: RunValues,
  n: number,
  outputs: Record<string, unknown>,
  fault: Fault,
): void {
  const { nodes, workGroupSize } = checked.pipeline;
  for (const sink of checked.sinks) {
    const node = sink.kind === "output" ? nodes[sink.of] : undefined;
    const operand = isMonoid(node) ? nodes[node.of] : undefined;
    if (!isMonoid(node) || operand?.kind !== "input") continue;
    // Neighbours in a work-group of several sides are not neighbours in memory.
    if (node.scope === "work-group" && workGroupSize.length > 1) continue;
    const x = toValues(operand.type, values[operand.name] as never);
    const size = node.scope === "device" ? Math.max(n, 1) : (workGroupSize[0] as number);
    const count = node.scope === "device" ? 1 : Math.ceil(n / size);
    const groups = Array.from({ length: count }, (_, g) =>
      collect(node, x.slice(g * size, (g + 1) * size), g * size, size, fault),
    );
    outputs[sink.name] = toArray(typeOfSink(checked, sink), groups.flat());
  }
}

/** A device with a fault; without one it is the reference. */
export function mutant(fault: Fault = {}): Runtime {
  return {
    device: { target: "reference", name: "mutant", driver: "none" },
    capabilities: CAPABILITIES,
    ...withoutArrays("mutants run from host arrays to host arrays"),
    dispose: () => {},
    compile: (async (source) => {
      const checked = check(pipelineOf(source));
      const inputs = checked.inputs.map(({ name }) => ({ name, role: "input" }));
      return {
        plan: undefined as never,
        manifest: { bindings: inputs, params: [] } as never,
        run: async (values, options = {}) => {
          const outputs = expected(checked, values, options);
          spoil(checked, values, itemsOf(checked, values, options), outputs, fault);
          return outputs;
        },
        ...OWN_SCRATCH,
        dispose: () => {},
      };
    }) as UntypedCompile as Runtime["compile"],
  };
}
