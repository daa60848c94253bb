import { describe, expect, it } from "vitest";
import { check } from "../src/document/check.ts";
import { QUERIES, type Query } from "../src/document/query.ts";
import { type ReferenceOutputs, reference } from "../src/reference/reference.ts";
import { fc, test } from "./fast-check.ts";
import { type Draft, documentOf, input, output } from "./support.ts";

const NAMES = Object.keys(QUERIES) as Query[];
const u32 = (value: number): Draft => ({ kind: "const", type: "u32", value });

interface Run {
  readonly size: readonly number[];
  readonly offset: readonly number[];
  readonly workGroup: readonly number[];
}

/** A query for every item. */
function ask({ size, offset, workGroup }: Run, query: Query, dimension: number): unknown {
  const nodes: Draft[] = [{ kind: "query", query, dimension }, { kind: "spread", of: 0 }, output(1, "q")];
  return reference(check(documentOf(nodes, workGroup)), {
    globalSize: size,
    globalOffset: offset,
    inputs: {},
  }).q;
}

describe("a range of 5 × 3 from (10, 20), in work-groups of 2 × 2", () => {
  const five: Run = { size: [5, 3], offset: [10, 20], workGroup: [2, 2] };

  it.each<[Query, number, number[]]>([
    ["work-dim", 0, [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]],
    ["global-size", 0, [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]],
    ["global-size", 1, [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]],
    ["global-size", 2, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["global-id", 0, [10, 11, 12, 13, 14, 10, 11, 12, 13, 14, 10, 11, 12, 13, 14]],
    ["global-id", 1, [20, 20, 20, 20, 20, 21, 21, 21, 21, 21, 22, 22, 22, 22, 22]],
    ["global-id", 2, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ["local-size", 0, [2, 2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1]],
    ["local-size", 1, [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1]],
    ["local-size", 4_294_967_295, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["enqueued-local-size", 1, [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]],
    ["enqueued-local-size", 2, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["local-id", 0, [0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0]],
    ["local-id", 1, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]],
    ["num-groups", 0, [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]],
    ["num-groups", 1, [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]],
    ["group-id", 0, [0, 0, 1, 1, 2, 0, 0, 1, 1, 2, 0, 0, 1, 1, 2]],
    ["group-id", 1, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]],
    ["global-offset", 1, [20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20]],
    ["global-offset", 2, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ["global-linear-id", 0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]],
    ["local-linear-id", 0, [0, 1, 0, 1, 0, 2, 3, 2, 3, 1, 0, 1, 0, 1, 0]],
  ])("%s of %i", (query, dimension, want) => {
    expect(ask(five, query, dimension)).toEqual(want);
  });

  const x = Array.from({ length: 15 }, (_, i) => i);
  const collect = (nodes: readonly Draft[]): ReferenceOutputs =>
    reference(check(documentOf([input("u32"), ...nodes], five.workGroup)), {
      globalSize: five.size,
      inputs: { x },
    });
  const add = { op: "add", type: "u32", identity: 0, order: "fixed", of: 0 } as const;

  it("is scanned work-group by work-group in local linear order", () => {
    const outputs = collect([
      { kind: "scan-inclusive", scope: "work-group", ...add },
      { kind: "reduce", scope: "work-group", ...add },
      { kind: "scan-inclusive", scope: "device", ...add },
      ...[output(1, "within"), output(2, "total"), output(3, "all")],
    ]);
    expect(outputs.within).toEqual([0, 1, 2, 5, 4, 6, 12, 12, 20, 13, 10, 21, 12, 25, 14]);
    expect(outputs.total).toEqual([12, 20, 13, 21, 25, 14]);
    expect(outputs.all).toEqual([0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105]);
  });

  it("clamps each coordinate of a broadcast in its own dimension", () => {
    const outputs = collect([
      u32(1),
      { kind: "broadcast", scope: "work-group", of: 0, index: [1, 1] },
      u32(7),
      { kind: "broadcast", scope: "device", of: 0, index: [3, 1] },
      { kind: "broadcast", scope: "device", of: 0, index: [1, 3] },
      ...[output(2, "group"), output(4, "wide"), output(5, "high")],
    ]);
    expect(outputs).toEqual({ group: [6, 8, 9, 11, 13, 14], wide: [9], high: [11] });
  });

  it.each([[[0, 3]], [[5, 0]], [[0, 0]]])("has no items at %j, and reduces to the identity", (globalSize) => {
    const nodes: Draft[] = [
      input("u32"),
      { kind: "reduce", scope: "device", ...add },
      { kind: "reduce", scope: "work-group", ...add },
      { kind: "query", query: "num-groups", dimension: 1 },
      ...[output(1, "all"), output(2, "each"), output(3, "groups")],
    ];
    const outputs = reference(check(documentOf(nodes, [2, 2])), { globalSize, inputs: { x: [] } });
    expect(outputs).toEqual({ all: [0], each: [], groups: [Math.ceil((globalSize[1] as number) / 2)] });
  });
});

/**
 * What an OpenCL device does: every work-group runs its work-items, every work-item asks. By the order of the
 * specification's global linear id.
 */
function simulated({ size, offset, workGroup }: Run): Map<string, number[]> {
  const three = (list: readonly number[], rest: number): [number, number, number] => [
    list[0] ?? rest,
    list[1] ?? rest,
    list[2] ?? rest,
  ];
  const [gs, off, w] = [three(size, 1), three(offset, 0), three(workGroup, 1)];
  const [nx, ny, nz] = gs.map((side, d) => Math.ceil(side / (w[d] as number))) as [number, number, number];
  const found = new Map<string, number[]>();
  const tell = (name: string, at: number, value: number): void => {
    const list = found.get(name) ?? [];
    list[at] = value;
    found.set(name, list);
  };
  for (let gz = 0; gz < nz; gz++)
    for (let gy = 0; gy < ny; gy++)
      for (let gx = 0; gx < nx; gx++) {
        const group = [gx, gy, gz] as const;
        const exists = (d: number, l: number): boolean =>
          (group[d] as number) * (w[d] as number) + l < (gs[d] as number);
        const ls = [0, 1, 2].map((d) => {
          let count = 0;
          while (count < (w[d] as number) && exists(d, count)) count++;
          return count;
        }) as [number, number, number];
        for (let z = 0; z < ls[2]; z++)
          for (let y = 0; y < ls[1]; y++)
            for (let x = 0; x < ls[0]; x++) {
              const local = [x, y, z];
              const id = [gx * w[0] + x + off[0], gy * w[1] + y + off[1], gz * w[2] + z + off[2]] as const;
              const linear = (id[2] - off[2]) * gs[1] * gs[0] + (id[1] - off[1]) * gs[0] + (id[0] - off[0]);
              const counts = [nx, ny, nz];
              // One dimension past those that are valid.
              for (let d = 0; d < 4; d++) {
                tell(`global-size ${d}`, linear, gs[d] ?? 1);
                tell(`global-id ${d}`, linear, id[d] ?? 0);
                tell(`local-size ${d}`, linear, ls[d] ?? 1);
                tell(`enqueued-local-size ${d}`, linear, w[d] ?? 1);
                tell(`local-id ${d}`, linear, local[d] ?? 0);
                tell(`num-groups ${d}`, linear, counts[d] ?? 1);
                tell(`group-id ${d}`, linear, group[d] ?? 0);
                tell(`global-offset ${d}`, linear, off[d] ?? 0);
              }
              tell("work-dim 0", linear, size.length);
              tell("global-linear-id 0", linear, linear);
              tell("local-linear-id 0", linear, z * ls[1] * ls[0] + y * ls[0] + x);
            }
      }
  return found;
}

const side = { min: 1, max: 9 };
const run: fc.Arbitrary<Run> = fc.integer({ min: 1, max: 3 }).chain((length) => {
  const list = (least: number, most: number): fc.Arbitrary<number[]> =>
    fc.array(fc.integer({ min: least, max: most }), { minLength: length, maxLength: length });
  return fc.record({ size: list(side.min, side.max), offset: list(0, 2 ** 32 - 9), workGroup: list(1, 6) });
});

test(
  "the reference answers every query as the specification defines",
  () =>
    fc.property(run, (one) => {
      const want = simulated(one);
      for (const query of NAMES) {
        const dimensions = QUERIES[query].beyond === undefined ? [0] : [0, 1, 2, 3];
        for (const d of dimensions)
          expect([query, d, ask(one, query, d)]).toEqual([query, d, want.get(`${query} ${d}`)]);
      }
    }),
  100,
);

/** The items of each work-group by their local linear ids, group after group. */
function groupsOf(asked: ReadonlyMap<string, readonly number[]>): readonly (readonly number[])[] {
  const of = (name: string, item: number): number => asked.get(name)?.[item] as number;
  const groups: number[][] = [];
  for (const item of (asked.get("work-dim 0") ?? []).keys()) {
    const [x, y, z] = [0, 1, 2].map((d) => of(`group-id ${d}`, item)) as [number, number, number];
    const place = (z * of("num-groups 1", item) + y) * of("num-groups 0", item) + x;
    groups[place] ??= [];
    (groups[place] as number[])[of("local-linear-id 0", item)] = item;
  }
  return groups;
}

test(
  "work-groups are scanned and reduced in local linear order, and broadcast from a coordinate or from the last item",
  () =>
    fc.property(run, fc.array(fc.nat(7), { minLength: 3, maxLength: 3 }), (one, at) => {
      const asked = simulated(one);
      const groups = groupsOf(asked);
      const n = one.size.reduce((a, b) => a * b, 1);
      const x = Array.from({ length: n }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 0);
      const coordinates = at.slice(0, one.size.length);
      const add = {
        op: "add",
        type: "u32",
        identity: 0,
        order: "fixed",
        scope: "work-group",
        of: 0,
      } as const;
      const nodes: Draft[] = [
        input("u32"),
        ...coordinates.map((_, d): Draft => ({ kind: "param", name: `at_${d}`, type: "u32" })),
        { kind: "scan-inclusive", ...add },
        { kind: "scan-exclusive", ...add },
        { kind: "reduce", ...add, op: "max" },
        { kind: "broadcast", scope: "work-group", of: 0, index: coordinates.map((_, d) => 1 + d) },
        ...["inclusive", "exclusive", "most", "chosen"].map(
          (name, i): Draft => ({ kind: "output", name, of: 1 + coordinates.length + i }),
        ),
      ];
      const checked = check(documentOf(nodes, one.workGroup));
      const params = Object.fromEntries(coordinates.map((c, d) => [`at_${d}`, c]));
      const range = { globalSize: one.size, globalOffset: one.offset };
      const got = reference(checked, { ...range, inputs: { x }, params });
      const [inclusive, exclusive] = [[...x], [...x]];
      for (const group of groups) {
        let sum = 0;
        for (const item of group) {
          exclusive[item] = sum;
          sum = (sum + (x[item] as number)) >>> 0;
          inclusive[item] = sum;
        }
      }
      const isChosen = (item: number): boolean =>
        coordinates.every((c, d) => {
          const [id, size] = ["local-id", "local-size"].map((name) => asked.get(`${name} ${d}`)?.[item]);
          return id === Math.min(c, (size as number) - 1);
        });
      expect(got).toEqual({
        inclusive,
        exclusive,
        most: groups.map((group) => Math.max(...group.map((item) => x[item] as number))),
        chosen: groups.map((group) => x[group.find(isChosen) as number]),
      });
    }),
  100,
);
