import { check } from "@groupwise/core";
import { divisionOf } from "@groupwise/core/state";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { errorFrom } from "../../ir/test/support.ts";
import {
  bool,
  compaction,
  ends,
  f32,
  i32,
  pipeline,
  type Scatter,
  starts,
  type U32Value,
  u8,
  u32,
} from "../src/index.ts";
import { nodesOf, run } from "./support.ts";

const FILL = 1000;
const seeds = fc.record({
  x: fc.array(fc.integer({ min: -99, max: 99 }), { maxLength: 40 }),
  key: fc.infiniteStream(fc.nat(1)),
  flag: fc.infiniteStream(fc.boolean()),
  k: fc.integer({ min: 1, max: 9 }),
});
type Neighbour = (i: number, by: number) => number | undefined;

/** Item `i + by`, if it is there and in the same segment. */
const inSegments =
  (x: readonly number[], begins: (i: number) => boolean): Neighbour =>
  (i, by) => {
    const [from, to] = [Math.min(i, i + by), Math.max(i, i + by)];
    for (let j = from + 1; j <= to; j++) if (begins(j)) return undefined;
    return x[i + by];
  };

describe("neighbours", () => {
  test("are those of plain JavaScript, in the range and in segments", () =>
    fc.property(seeds, ({ x, key, flag, k }) => {
      const [keys, flags] = [x.map(() => key.next().value), x.map(() => flag.next().value)];
      const made = (by: "range" | "segments") =>
        pipeline(by, { x: i32, key: u32, flag: bool }, ({ x: own, key: at, flag: segments }) => {
          const options = by === "range" ? {} : { keys: at, segments };
          const [first, second, third] = own.window(FILL, 1, 1, options);
          return {
            before: own.previous(FILL, k, options),
            after: own.next(FILL, k, options),
            steps: own.diff(options),
            sums: own.moving("add", k, options),
            least: own.moving("min", k, options),
            middle: first?.max(second ?? 0).min(third ?? 0) ?? own,
            begins: starts(at),
            last: ends([at, segments]),
          };
        });
      const begins = (i: number) => keys[i] !== keys[i - 1];
      const wanted = (near: Neighbour) => {
        const widths = x.map((_, i) =>
          Array.from({ length: k }, (_, j) => near(i, j + 1 - k)).filter((value) => value !== undefined),
        );
        return {
          before: x.map((_, i) => near(i, -k) ?? FILL),
          after: x.map((_, i) => near(i, k) ?? FILL),
          steps: x.map((own, i) => own - (near(i, -1) ?? 0)),
          sums: widths.map((values) => values.reduce((a, b) => a + b)),
          least: widths.map((values) => Math.min(...values)),
          middle: x.map((own, i) => Math.min(Math.max(near(i, -1) ?? FILL, own), near(i, 1) ?? FILL)),
          begins: x.map((_, i) => i === 0 || begins(i)),
          last: x.map((_, i) => i + 1 === x.length || begins(i + 1) || flags[i + 1] !== flags[i]),
        };
      };
      const got = (by: "range" | "segments") => run(made(by), { x, key: keys, flag: flags });
      expect(got("range")).toEqual(wanted(inSegments(x, () => false)));
      expect(got("segments")).toEqual(
        wanted(inSegments(x, (i) => keys[i] !== keys[i - 1] || flags[i] === true)),
      );
    }));

  it("of floats keep zeros and NaN, and combine from the earliest to the latest", () => {
    const made = pipeline("floats", { x: f32 }, ({ x }) => ({
      steps: x.diff(),
      sums: x.moving("add", 3),
      most: x.moving("max", 2),
      zeros: x.moving("add", 1),
    }));
    const x = [-0, 2 ** 24, 1, 1, Number.NaN];
    const { steps, sums, most, zeros } = run(made, { x });
    expect(steps).toEqual([-0, 2 ** 24, -(2 ** 24) + 1, 0, Number.NaN]);
    expect(sums).toEqual([-0, 2 ** 24, 2 ** 24, 2 ** 24, Number.NaN]);
    expect(most).toEqual([-0, 2 ** 24, 2 ** 24, 1, Number.NaN]);
    expect(zeros).toEqual(x);
  });

  it("follow the order of the range in two dimensions", () => {
    const made = pipeline("rows", { x: u32 }, ({ x }) => ({ after: x.next(9, 2), last: ends(x) }), {
      workGroupSize: [2, 2],
    });
    const range = { globalSize: [2, 2] };
    expect(run(made, { x: [1, 2, 2, 4] }, {}, 4, range)).toEqual({
      after: [2, 4, 9, 9],
      last: [true, false, true, true],
    });
  });

  it.each([
    ["a distance of 0", () => one((x) => x.previous(0, 0))],
    ["half a distance", () => one((x) => x.next(0, 0.5))],
    ["a value as a distance", () => one((x) => x.next(0, x as never))],
    ["a window of 33", () => one((x) => x.moving("add", 33))],
    ["a window of no items", () => one((x) => x.moving("add", 0))],
    ["an operator without a name", () => one((x) => x.moving(Object.create(null), 3)), "unknown-op"],
    ["32 items before", () => one((x) => x.window(0, 32)[0] ?? x)],
  ])("refuse %s", (_, act, code = "bad-argument") => expect(errorFrom(act).code).toBe(code));

  it("are as far as an index reaches, in segments as far as a pipeline can test", () => {
    const far = one((x) => x.previous(5, 2 ** 31 - 1));
    expect(run(far, { x: [1, 2] })).toEqual({ y: [5, 5] });
    const within = (): unknown => one((x) => x.previous(5, 2 ** 31 - 1, { keys: x }));
    expect(errorFrom(within).code).toBe("too-large");
  });

  it("refuse keys that are no values, and options that do not exist", () => {
    expect(errorFrom(() => one((x) => x.previous(0, 1, { keys: 1 as never }))).code).toBe("bad-usage");
    expect(errorFrom(() => one((x) => x.previous(0, 1, { key: x } as never))).code).toBe("bad-usage");
    expect(errorFrom(() => one(() => starts([]).toU32())).code).toBe("bad-usage");
  });
});

describe("compactions", () => {
  test("keep the items of a condition in all columns, with one scan", () =>
    fc.property(fc.array(fc.tuple(fc.nat(9), fc.boolean())), (items) => {
      const made = pipeline("kept", { x: u32, y: i32, keep: bool }, ({ x, y, keep }) => {
        const kept = compaction(keep);
        return { xs: x.scatter(kept), ys: y.scatter(kept), count: kept.length };
      });
      expect(nodesOf(made, "scan-exclusive")).toHaveLength(1);
      const [x, keep] = [items.map(([value]) => value), items.map(([, flag]) => flag)];
      const want = x.filter((_, i) => keep[i]);
      const got = run(made, { x, y: x.map((value) => value - 9), keep });
      expect(got).toEqual({ xs: want, ys: want.map((value) => value - 9), count: [want.length] });
    }));

  it("refuse what is no condition", () =>
    expect(errorFrom(() => one((x) => compaction(x as never).length)).code).toBe("bad-usage"));
});

describe("reads of scatters", () => {
  const read = (build: (x: U32Value) => Scatter<"u32" | "u8">) =>
    pipeline("read", { x: u32 }, ({ x }) => {
      const to = build(x);
      return { to, y: to.at(x), first: to.at(0) };
    });

  it("are of the elements after all items have written, in any order of outputs, and in a pipeline that applies another", () => {
    const inner = read((x) => x.scatter({ to: x.add(1), capacity: 9, where: x.ne(2) }));
    const outer = pipeline("outer", { x: u32 }, ({ x }) => {
      const { y, to } = inner({ x });
      return { y, to, again: to.at(y) };
    });
    expect(run(inner, { x: [3, 2, 7] })).toEqual({
      to: [0, 0, 0, 0, 3, 0, 0, 0, 7],
      y: [0, 0, 0],
      first: [0],
    });
    expect(run(outer, { x: [3, 4, 5] })).toEqual({
      to: [0, 0, 0, 0, 3, 4, 5, 0, 0],
      y: [0, 3, 4],
      again: [0, 0, 3],
    });
    expect(errorFrom(() => run(inner, { x: [] })).code).toBe("empty-broadcast");
  });

  it.each([
    ["that combine", () => read((x) => x.scatter({ to: x, combine: "add" }))],
    ["of narrow elements", () => read((x) => u8(x).scatter({ to: x }))],
  ])("%s are refused, with the way in two steps", (_, act) => {
    const error = errorFrom(act);
    expect([error.code, error.hint.includes("second pipeline")]).toEqual(["bad-usage", true]);
  });

  it("need the scatter as an output, and are refused chunk by chunk", () => {
    expect(errorFrom(() => one((x) => x.scatter({ to: x }).at(x))).code).toBe("bad-usage");
    const made = read((x) => x.scatter({ to: x }));
    expect(errorFrom(() => divisionOf(made)).code).toBe("not-carried");
    const { nodes } = made.ir;
    const combining = nodes.map((node) => (node.kind === "scatter" ? { ...node, combine: "add" } : node));
    expect(errorFrom(() => check({ ...made.ir, nodes: combining as typeof nodes })).code).toBe("not-a-value");
  });
});

const one = (build: (x: U32Value) => U32Value) => pipeline("one", { x: u32 }, ({ x }) => ({ y: build(x) }));
