/** Determines by a run whether a device preserves subnormal numbers. */
import type { HostArray, Pipeline, PipelineNode, Scalar } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import { toArray, toValues } from "../data/arrays.ts";
import { leastNormal } from "../data/data.ts";
import { expected } from "../data/oracle.ts";
import { NotSupportedError, type Subject } from "./subject.ts";

export interface FlushFinding {
  readonly flushes: boolean;
  /** The observation, as text. */
  readonly note: string;
}

const KEEPS: FlushFinding = { flushes: false, note: "keeps them" };

function probeOf(type: Scalar): Pipeline {
  const collective = { kind: "scan-inclusive", type, scope: "work-group", order: "fixed" } as const;
  const values = {
    add: { kind: "binary", op: "add", left: 0, right: 1 },
    mul: { kind: "binary", op: "mul", left: 0, right: 1 },
    min: { kind: "binary", op: "min", left: 0, right: 1 },
    sum: { ...collective, op: "add", identity: 0, of: 0 },
    product: { ...collective, op: "mul", identity: 1, of: 1 },
  };
  const nodes: object[] = [
    { kind: "input", name: "x", type },
    { kind: "input", name: "y", type },
    ...Object.values(values),
    ...Object.keys(values).map((name, i) => ({ kind: "output", name, of: i + 2 })),
  ];
  return {
    format: "groupwise-pipeline",
    version: 1,
    name: `subnormal-probe-${type}`,
    workGroupSize: [64],
    nodes: nodes.map((node, id) => ({ id, ...node }) as PipelineNode),
  };
}

/** Runs sums, products and minima whose operands or results are subnormal. */
export async function probeFlush(subject: Subject, type: Scalar): Promise<FlushFinding> {
  if (SCALARS[type].kind !== "float") return KEEPS;
  const least = leastNormal(type);
  const tiny = least / 64;
  const half = Math.sqrt(least); // an exact power of two
  const values = {
    x: toArray(type, [tiny, -tiny, 3 * tiny, half / 8, least]),
    y: toArray(type, [tiny, 1, tiny, half / 8, -least / 2]),
  };
  try {
    const { checked, run } = await subject.compile(probeOf(type));
    const want = expected(checked, values);
    const got = await run(values);
    const flushing = Object.keys(want).filter((name) => {
      const [a, b] = [got, want].map((all) => toValues(type, all[name] as HostArray));
      return a?.some((x, i) => x === 0 && b?.[i] !== 0);
    });
    if (flushing.length === 0) return KEEPS;
    return { flushes: true, note: `flushes subnormal ${type} in ${flushing.join(", ")}` };
  } catch (error) {
    if (error instanceof NotSupportedError) return { flushes: false, note: error.message };
    throw error;
  }
}
