/** Compares the reference with a brute-force simulation of the specification's execution model, function by function. */
import { check, type Pipeline, type PipelineNode } from "@groupwise/core";
import { itemsIn, QUERIES } from "@groupwise/core/target";
import { describe, expect, it } from "vitest";
import { dataKind, dataOf } from "../src/data/data.ts";
import { expected } from "../src/data/oracle.ts";
import { type Shape, shapesOf } from "../src/data/shapes.ts";
import { DIMENSIONS, simulate, type WorkItem } from "../src/data/simulate.ts";
import { WORK_ITEM_FUNCTIONS } from "../src/data/specification.ts";

const SHAPES = shapesOf(256);
const optionsOf = ({ globalSize, globalOffset }: Shape) => ({
  globalSize,
  ...(globalOffset && { globalOffset }),
});

function documentOf({ workGroupSize }: Shape, nodes: readonly object[]): Pipeline {
  return {
    format: "groupwise-pipeline",
    version: 1,
    name: "shapes",
    workGroupSize,
    nodes: nodes.map((node, id) => ({ id, ...node }) as unknown as PipelineNode),
  };
}

/** Items in the range's order, each with its group. */
function itemsOf(shape: Shape): { item: WorkItem; group: readonly WorkItem[] }[] {
  const all: { item: WorkItem; group: readonly WorkItem[] }[] = [];
  for (const group of simulate(shape))
    for (const item of group) all[item.get_global_linear_id] = { item, group };
  return all;
}

describe.each(SHAPES)("the simulation of $name", (shape) => {
  it("has every item of the range once, in groups of at most the requested size", () => {
    const groups = simulate(shape);
    const ids = groups.flat().map(({ get_global_linear_id }) => get_global_linear_id);
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: itemsIn(shape.globalSize) }, (_, i) => i));
    for (const group of groups) {
      expect(group.map((item) => item.get_local_linear_id)).toEqual(group.map((_, i) => i));
      expect(group[0]?.get_local_size.reduce((a, b) => a * b, 1)).toBe(group.length);
    }
  });
});

describe.each(WORK_ITEM_FUNCTIONS)("%s", (query) => {
  const name = `get_${query.replaceAll("-", "_")}` as keyof WorkItem;
  it(`follows the specification of ${name}, in every shape and dimension`, () => {
    for (const shape of SHAPES) {
      const items = itemsOf(shape);
      const isAlone = QUERIES[query].beyond === undefined;
      for (let dimension = 0; dimension < (isAlone ? 1 : DIMENSIONS); dimension++) {
        // Beside an item's value, so that there is one result for each item.
        const pipeline = documentOf(shape, [
          { kind: "input", name: "x", type: "u32" },
          { kind: "query", query, dimension },
          { kind: "binary", op: "xor", left: 0, right: 1 },
          { kind: "output", name: "y", of: 2 },
        ]);
        const x = new Uint32Array(items.length);
        const { y } = expected(check(pipeline), { x }, optionsOf(shape));
        const want = items.map(({ item }) => {
          const answer = item[name];
          return typeof answer === "number" ? answer : (answer[dimension] as number);
        });
        expect([...(y as Uint32Array)], `${shape.name}, dimension ${dimension}`).toEqual(want);
      }
    }
  });
});

describe.each(SHAPES)("collectives of work-groups, $name", (shape) => {
  const items = itemsOf(shape);
  const groups = simulate(shape);
  const x = dataOf("u32", dataKind("u32", "random"), items.length, "shapes") as Uint32Array;
  const at = (item: WorkItem): number => x[item.get_global_linear_id] as number;
  const group = { scope: "work-group", type: "u32", order: "fixed", of: 0 } as const;
  const run = (values: readonly object[], params: Record<string, number> = {}) => {
    const pipeline = documentOf(shape, [
      { kind: "input", name: "x", type: "u32" },
      ...values,
      { kind: "output", name: "y", of: values.length },
    ]);
    return [...(expected(check(pipeline), { x, ...params }, optionsOf(shape)).y as Uint32Array)];
  };

  it("scan in the order of local linear ids", () => {
    for (const isInclusive of [true, false]) {
      const kind = isInclusive ? "scan-inclusive" : "scan-exclusive";
      const want = items.map(({ item, group: own }) =>
        own
          .filter((other) =>
            isInclusive
              ? other.get_local_linear_id <= item.get_local_linear_id
              : other.get_local_linear_id < item.get_local_linear_id,
          )
          .reduce((sum, other) => (sum + at(other)) >>> 0, 0),
      );
      expect(run([{ kind, op: "add", identity: 0, ...group }])).toEqual(want);
    }
  });

  it("reduce the items that exist, group after group", () => {
    const want = groups.map((own) => own.reduce((most, item) => Math.max(most, at(item)), 0));
    if (items.length > 0) expect(run([{ kind: "reduce", op: "max", identity: 0, ...group }])).toEqual(want);
  });

  it("broadcast from the item with these coordinates, or from the last item", () => {
    for (const [cx, cy, cz] of [
      [0, 0, 0],
      [1, 2, 1],
      [1000, 0, 2],
    ] as const) {
      const asked = [cx, cy, cz].slice(0, shape.workGroupSize.length);
      const index = asked.map((_, d) => d + 1);
      const values = [
        ...asked.map((_, d) => ({ kind: "param", name: `c${d}`, type: "u32" })),
        { kind: "broadcast", scope: "work-group", of: 0, index },
      ];
      const params = Object.fromEntries(asked.map((c, d) => [`c${d}`, c]));
      const want = groups.map((own) => {
        const source = own.find((item) =>
          asked.every((c, d) => item.get_local_id[d] === Math.min(c, (item.get_local_size[d] as number) - 1)),
        );
        return at(source as WorkItem);
      });
      if (items.length > 0) expect(run(values, params)).toEqual(want);
    }
  });
});
