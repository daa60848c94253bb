/** The first built-in scan or reduce of a pipeline over a few items, as a drawing of its values. */
import type {
  Checked,
  HostArray,
  Op,
  Pipeline,
  Runtime,
  RunValues,
  Scalar,
  ScalarValue,
} from "@groupwise/core";
import { OPS, SCALARS } from "@groupwise/core/target";
import { drawingOf } from "../figures/fenwick.ts";
import type { Tree } from "./messages.ts";
import { sidesOf } from "./show.ts";

/** Items of a drawing that fits a page. */
export const DRAWN = 16;

/** At most five digits: boxes are small. */
function shortOf(value: ScalarValue): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  const text = String(value);
  return text.length <= 6 || typeof value === "bigint" ? text : String(Number(value.toPrecision(4)));
}

/** The pipeline that returns the value of node `of` for each item. */
function operandOf({ pipeline }: Checked, of: number, name: string): Pipeline {
  const nodes = pipeline.nodes.slice(0, of + 1).filter(({ kind }) => kind !== "output" && kind !== "scatter");
  if (nodes.length <= of) throw new Error("an output comes before the operand");
  const output = { id: of + 1, kind: "output", name, of } as const;
  return { ...pipeline, nodes: [...nodes, output] };
}

/** The drawing of the first `count` items; undefined for pipelines that have no such collective, or none that can be cut out. */
export async function treeOf(
  runtime: Runtime,
  source: Checked,
  values: RunValues,
  count: number,
): Promise<Tree | undefined> {
  const { nodes, workGroupSize } = source.pipeline;
  const node = nodes.find((one) => one.kind === "reduce" || one.kind.startsWith("scan-"));
  if (!node || !("scope" in node) || !("op" in node) || !("of" in node)) return undefined;
  if (node.scope !== "device" || workGroupSize.length > 1) return undefined;
  const { op, of } = node as { readonly op: Op; readonly of: number };
  const type = source.types[of] as Scalar;
  try {
    const name = "operand_of_the_drawing";
    const pipeline = operandOf(source, of, name);
    const used = new Set(pipeline.nodes.flatMap((one) => ("name" in one ? [one.name] : [])));
    const inputs = new Set(source.inputs.map((one) => one.name));
    const given = Object.entries(values)
      .filter(([key]) => used.has(key))
      .map(
        ([key, value]) => [key, inputs.has(key) ? (value as HostArray).subarray(0, count) : value] as const,
      );
    const executable = await runtime.compile(pipeline);
    const hasInputs = given.some(([key]) => inputs.has(key));
    const run = await executable.run(
      Object.fromEntries(given),
      hasInputs ? {} : { globalSize: sidesOf(source, count) },
    );
    executable.dispose();
    const array = (run as Readonly<Record<string, HostArray>>)[name] as HostArray;
    if (array.length !== count || count === 0) return undefined;
    const items = Array.from(array as ArrayLike<number | bigint>, (stored) => SCALARS[type].fromHost(stored));
    const drawing = drawingOf(items, (left, right) => OPS[op].apply(type, left, right));
    const shown = <C extends { readonly value: ScalarValue }>(cell: C) => ({
      ...cell,
      value: shortOf(cell.value),
    });
    return {
      title: `${op} of ${type} over the first ${count} items`,
      drawing: { ...drawing, cells: drawing.cells.map(shown), prefixes: drawing.prefixes.map(shown) },
    };
  } catch {
    return undefined; // the drawing is an addition: the run itself reports what is wrong
  }
}
