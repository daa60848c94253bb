import {
  arrayOf,
  bool,
  f32,
  fields,
  i32,
  operator,
  outputs,
  pipeline,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import { describe, expect, it } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import { nodesOf, run } from "./support.ts";

/** What comes first stays: the longest word of the left, then the right, as digits. */
const digits = operator(
  "digits",
  { value: u32, power: u32 },
  {
    combine: (left, right) => ({
      value: left.value.mul(right.power).add(right.value),
      power: left.power.mul(right.power),
    }),
    identity: { value: 0, power: 1 },
  },
);
const digit = (value: U32Value) => ({ value, power: 10 });

describe("an operator", () => {
  it("is in the document: fields, identity and nodes, equal ones once", () => {
    const [one, two] = [[1, 0] as const, [0, 1] as const];
    const { ir } = operator(
      "matrix",
      { m: arrayOf(arrayOf(u32, 2), 2) },
      {
        combine: ({ m: [[a, b], [c, d]] }, { m: [[e, f], [g, h]] }) => ({
          m: [
            [a.mul(e).add(b.mul(g)), a.mul(f).add(b.mul(h))],
            [c.mul(e).add(d.mul(g)), c.mul(f).add(d.mul(h))],
          ],
        }),
        identity: { m: [one, two] },
      },
    );
    const identity = ir.fields.map(({ name, identity }) => `${name} ${identity}`);
    expect(identity.join(", ")).toBe("m_0_0 1, m_0_1 0, m_1_0 0, m_1_1 1");
    expect(ir.commutative).toBe(false);
    expect(ir.nodes.filter(({ kind }) => kind === "left")).toHaveLength(4);
    expect(Object.isFrozen(ir) && Object.isFrozen(ir.nodes)).toBe(true);
  });

  it("may be of one scalar, and return constants", () => {
    const least = operator("least", i32, {
      combine: (a, b) => a.min(b),
      identity: 0x7fffffff,
      commutative: true,
    });
    const zero = operator("zero", { x: u32 }, { combine: () => ({ x: 0 }), identity: { x: 0 } });
    const made = pipeline("made", { x: i32, u: u32 }, ({ x, u }) => ({
      least: least.reduce(x),
      zero: zero.reduce({ x: u }).x,
    }));
    expect(run(made, { x: [5, -3, 4], u: [1, 2, 3] })).toEqual({ least: [-3], zero: [0] });
    expect(made.ir.operators?.map(({ name }) => name)).toEqual(["least", "zero"]);
  });

  it("refuses records of other operators, and expressions that are not element-wise", () => {
    const sum = {
      combine: (a: { x: { add(b: unknown): unknown } }, b: { x: unknown }) => ({ x: a.x.add(b.x) }),
      identity: { x: 0 },
    };
    const code = (act: () => unknown): string => errorFrom(act).code;
    const make = (name: string, record: object, rules: object): unknown =>
      operator(name, record as never, rules as never);
    expect(code(() => make("a-b", { x: u32 }, sum))).toBe("bad-name");
    expect(code(() => make("sum", { x: "u32" }, sum))).toBe("unknown-type");
    expect(code(() => make("sum", {}, { combine: () => ({}), identity: {} }))).toBe("bad-operator");
    expect(code(() => make("sum", { x: u32 }, { ...sum, identity: { x: -1 } }))).toBe("bad-literal");
    expect(code(() => make("sum", { x: u32 }, { ...sum, identity: {} }))).toBe("bad-usage");
    expect(code(() => make("sum", { x: u32 }, { ...sum, combine: () => ({ y: 0 }) }))).toBe("bad-usage");
    expect(code(() => make("sum", { x: f32 }, { ...sum, combine: () => ({ x: u32(0) }) }))).toBe(
      "type-mismatch",
    );
    expect(
      code(() =>
        make("sum", { x_0: u32, x: [u32] }, { combine: (a: object) => a, identity: { x_0: 0, x: [0] } }),
      ),
    ).toBe("duplicate-name");
    const reduced = (a: { x: { reduce(op: string): unknown } }): object => ({ x: a.x.reduce("add") });
    expect(code(() => make("sum", { x: u32 }, { ...sum, combine: reduced }))).toBe("bad-operator");
    const foreign = (): unknown =>
      pipeline("foreign", { x: u32 }, ({ x }) => {
        make("sum", { x: u32 }, { ...sum, combine: () => ({ x }) });
        return { y: x };
      });
    expect(code(foreign)).toBe("foreign-value");
    expect(
      code(() => pipeline("p", { x: u32 }, ({ x }) => ({ y: digits.reduce({ value: x } as never).value }))),
    ).toBe("bad-usage");
  });

  it("is in a document once if two pipelines that use it are composed", () => {
    const inner = pipeline("inner", { x: u32 }, ({ x }) => ({ all: digits.reduce(digit(x)).value }));
    const outer = pipeline("outer", { x: u32 }, ({ x }) => ({
      inner: inner({ x }).all,
      own: digits.scanInclusive(digit(x)).value,
    }));
    expect(outer.ir.operators).toHaveLength(1);
    expect(nodesOf(outer, "user-collective").map((node) => [node.form, node.operator, node.field])).toEqual([
      ["reduce", 0, 0],
      ["scan-inclusive", 0, 0],
    ]);
    expect(run(outer, { x: [1, 2, 3] })).toEqual({ inner: [123], own: [1, 12, 123] });
  });

  it("names the fields of records as outputs", () => {
    const made = pipeline("made", { x: u32 }, ({ x }) => {
      const { scan, before, total } = digits.scanWithTotal(digit(x));
      return { ...outputs({ scan, same: x }), ...fields("before", before), total: total.value };
    });
    const names = "scan_value scan_power same before_value before_power total";
    expect(Object.keys(made.outputs).join(" ")).toBe(names);
    expect(run(made, { x: [4, 5] })).toMatchObject({
      scan_value: [4, 45],
      before_value: [0, 4],
      total: [45],
    });
  });
});

describe("options of collectives", () => {
  const item = { x: [1, 2, 3, 4, 5], s: [false, false, true, false, true] };

  it("combine the seed before the first item, and return the seed for an empty prefix", () => {
    const made = pipeline(
      "made",
      { x: u32, f: f32 },
      ({ x, f }) => ({
        ...outputs({ d: digits.scanExclusive(digit(x), { seed: { value: 9, power: 10 } }) }),
        total: digits.reduce(digit(x), { seed: { value: 9, power: 10 } }).value,
        sum: f.reduce("add", { seed: -0 }),
        before: f.scanExclusive("add", { seed: -0 }),
        with: x.scanInclusive("add", { seed: 10 }),
        group: f.scanExclusive("add", { seed: -0, scope: "work-group" }),
      }),
      { workGroupSize: 2 },
    );
    const five = { x: [1, 2, 3, 4, 5], f: [-0, 1, 1, 1, 1] };
    expect(run(made, five)).toMatchObject({
      d_value: [9, 91, 912, 9123, 91234],
      total: [912345],
      sum: [4],
      before: [-0, -0, 1, 2, 3],
      with: [11, 13, 16, 20, 25],
      group: [-0, -0, -0, 1, -0],
    });
    expect(run(made, { x: [], f: [] })).toMatchObject({ total: [9], sum: [-0] });
  });

  it("cut scans into segments, by built-in operators and by others", () => {
    const made = pipeline(
      "made",
      { x: u32, s: bool },
      ({ x, s }) => ({
        sum: x.scanInclusive("add", { segments: s }),
        before: x.scanExclusive("max", { segments: s, seed: 2 }),
        digits: digits.scanInclusive(digit(x), { segments: s }).value,
        none: digits.scanExclusive(digit(x), { segments: s }).value,
        seeded: digits.scanExclusive(digit(x), { segments: s, seed: { value: 7, power: 10 } }).value,
        group: x.scanInclusive("add", { segments: s, scope: "work-group" }),
      }),
      { workGroupSize: 4 },
    );
    expect(run(made, item)).toEqual({
      sum: [1, 3, 3, 7, 5],
      before: [2, 2, 2, 3, 2],
      digits: [1, 12, 3, 34, 5],
      none: [0, 1, 0, 3, 0],
      seeded: [7, 71, 7, 73, 7],
      group: [1, 3, 3, 7, 5],
    });
  });

  it("of logical operators take predicates", () => {
    const made = pipeline("made", { x: u32, s: bool }, ({ x, s }) => ({
      any: x.scanInclusive("logical-or", { segments: s }),
      odd: x.scanExclusive("logical-xor", { seed: 4 }),
    }));
    expect(run(made, { ...item, x: [0, 2, 0, 0, 6] })).toEqual({
      any: [0, 1, 0, 0, 1],
      odd: [1, 1, 0, 0, 0],
    });
  });

  it("are refused where they are of the wrong type", () => {
    const code = (options: object): string =>
      errorFrom(() => pipeline("p", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add", options) }))).code;
    expect(code({ seed: 0.5 })).toBe("bad-literal");
    expect(code({ seed: f32(1) })).toBe("type-mismatch");
    expect(code({ segments: 1 })).toBe("bad-literal");
    expect(code({ keys: 3 })).toBe("bad-usage");
    expect(code({ reverse: "yes" })).toBe("bad-argument");
  });
});

describe("segments and direction, through gathers of other items", () => {
  const keyed = { x: [1, 2, 3, 4, 5], k: [7, 7, 2, 2, 7], f: [0, 0, Number.NaN, Number.NaN, 1] };

  it("come from keys that change; NaN equals no key", () => {
    const made = pipeline(
      "made",
      { x: u32, k: u32, f: f32 },
      ({ x, k, f }) => ({
        one: digits.scanInclusive(digit(x), { keys: k }).value,
        two: x.scanExclusive("add", { keys: [k, f] }),
        total: x.reduce("add", { keys: [k], seed: 100 }),
        group: digits.reduce(digit(x), { keys: k, scope: "work-group" }).value,
      }),
      { workGroupSize: 4 },
    );
    expect(run(made, keyed)).toEqual({
      one: [1, 12, 3, 34, 5],
      two: [0, 1, 0, 0, 0],
      total: [103, 103, 107, 107, 105],
      group: [12, 12, 34, 34, 5],
    });
  });

  it("run in reverse: the last item comes first", () => {
    const made = pipeline(
      "made",
      { x: u32, s: bool },
      ({ x, s }) => {
        const all = digits.scanWithTotal(digit(x), { reverse: true });
        const some = digits.scanWithTotal(digit(x), {
          reverse: true,
          segments: s,
          seed: { value: 9, power: 10 },
        });
        return {
          scan: all.scan.value,
          before: all.before.value,
          total: all.total.value,
          someScan: some.scan.value,
          someBefore: some.before.value,
          someTotal: some.total.value,
          group: x.scanInclusive("add", { reverse: true, scope: "work-group" }),
        };
      },
      { workGroupSize: 2 },
    );
    expect(run(made, { x: [1, 2, 3, 4, 5], s: [false, false, true, false, true] })).toEqual({
      scan: [54321, 5432, 543, 54, 5],
      before: [5432, 543, 54, 5, 0],
      total: [54321],
      someScan: [921, 92, 943, 94, 95],
      someBefore: [92, 9, 94, 9, 9],
      someTotal: [921, 921, 943, 943, 95],
      group: [3, 2, 7, 4, 5],
    });
  });

  it("are of the work-group's own items in two dimensions", () => {
    const made = pipeline(
      "made",
      { x: u32, s: bool },
      ({ x, s }) => ({
        back: digits.scanInclusive(digit(x), { reverse: true, scope: "work-group" }).value,
        total: digits.reduce(digit(x), { segments: s, scope: "work-group" }).value,
      }),
      { workGroupSize: [2, 2] },
    );
    // 1 2 3
    // 4 5 6
    const got = run(made, { x: [1, 2, 3, 4, 5, 6], s: [true, false, true, true, false, true] }, {}, 6, {
      globalSize: [3, 2],
      globalOffset: [5, 7],
    });
    expect(got).toEqual({ back: [5421, 542, 63, 54, 5, 6], total: [12, 12, 3, 45, 45, 6] });
  });
});
