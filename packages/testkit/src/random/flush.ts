/** Finds results whose computation involves subnormal numbers: a device that flushes them may return other results. */
import {
  check,
  type Pipeline,
  type PipelineNode,
  type RunOptions,
  type RunValues,
  type Scalar,
} from "@groupwise/core";
import { isFloat, isScan, itemsIn, operandsOf } from "@groupwise/core/target";
import { toValues } from "../data/arrays.ts";
import { leastNormal } from "../data/data.ts";
import { expected } from "../data/oracle.ts";
import { isSubnormal } from "./make/case.ts";

/** Sums of numbers of at least this multiple of the least normal number are 0 or normal, even after cancellation. */
export const SAFE_SUM: Readonly<Record<string, number>> = { f16: 2 ** 11, f32: 2 ** 24, f64: 2 ** 53 };

/** A subnormal number, or the least normal one: a device may flush before it rounds up to the least normal number. */
const isTiny = (type: Scalar, x: number): boolean =>
  isSubnormal(type, x) || Math.abs(x) === leastNormal(type);

/**
 * By node and item: whether a subnormal number of one of the types occurs in the computation of its value.
 * @param pipeline its nodes are element-wise, or collectives of one value
 */
export function meetsSubnormals(
  pipeline: Pipeline,
  values: RunValues,
  options: RunOptions & { readonly globalSize: readonly number[] },
  flushed: ReadonlySet<Scalar>,
): boolean[][] {
  const n = itemsIn(options.globalSize);
  const { types } = check(pipeline);
  const isFlushed = (type: Scalar): boolean => isFloat(type) && flushed.has(type);
  const base = pipeline.nodes.filter(({ kind }) => kind !== "output");
  const floats = base.filter(({ id }) => isFlushed(types[id] as Scalar));
  if (floats.length === 0) return base.map(() => new Array<boolean>(n).fill(false));
  const nodes: PipelineNode[] = [...base];
  for (const { id } of floats) {
    nodes.push({ id: nodes.length, kind: "spread", of: id });
    nodes.push({ id: nodes.length, kind: "output", name: `n${id}`, of: nodes.length - 1 });
  }
  const seen = expected(check({ ...pipeline, nodes }), values, options);
  const met: boolean[][] = [];
  for (const node of base) {
    const type = types[node.id] as Scalar;
    const own = seen[`n${node.id}`];
    const list = own ? toValues(type, own) : [];
    const below = operandsOf(node);
    const row = Array.from(
      { length: n },
      (_, i) => below.some((id) => met[id]?.[i]) || (own !== undefined && isTiny(type, list[i] as number)),
    );
    if (node.kind === "reduce" || isScan(node)) {
      // Partial results are unknown, so sums of tiny numbers and products count as subnormal.
      const of = toValues(type, (seen[`n${below[0]}`] ?? new Float64Array(0)) as never).map(Number);
      const tiny = leastNormal(type) * (SAFE_SUM[type] ?? 0);
      const op = "op" in node ? node.op : "add";
      const isRisky =
        op === "mul" || (op === "add" && of.some((x) => x !== 0 && Math.abs(x) < tiny)) || row.includes(true);
      row.fill(isRisky && flushed.has(type));
    }
    met.push(row);
  }
  return met;
}
