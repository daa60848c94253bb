import { describe, expect, it } from "vitest";
import type { Operator } from "../src/document/operator.ts";
import { applyOperator, identityOf } from "../src/document/operator-apply.ts";
import { checkLaws } from "../src/laws/check-laws.ts";
import type { Held, Law, LawResult, LawsOptions } from "../src/laws/law.ts";
import { printLaws } from "../src/laws/print.ts";
import type { BinaryOp } from "../src/tables/expr-op.ts";
import { decodeLiteral, type Literal } from "../src/tables/literal.ts";
import { OP_NAMES, OPS, opExists } from "../src/tables/op.ts";
import { SCALAR_NAMES, SCALARS, type Scalar, type ScalarValue } from "../src/tables/scalar.ts";
import { operatorOf, scalarOperator } from "./operator-builder.ts";
import { errorFrom } from "./support.ts";

const lawsOf = (operator: Operator, options?: LawsOptions): Record<Law, LawResult> =>
  Object.fromEntries(checkLaws(operator, options).map((result) => [result.law, result])) as Record<
    Law,
    LawResult
  >;
const heldOf = (operator: Operator, options?: LawsOptions): Record<Law, Held> =>
  Object.fromEntries(checkLaws(operator, options).map(({ law, held }) => [law, held])) as Record<Law, Held>;
const show = (operator: Operator): string =>
  printLaws({ operator: operator.name, fields: operator.fields, domain: "all", laws: checkLaws(operator) });

/** The built-in operators, as an author would write them. */
const BUILT_IN = OP_NAMES.filter((op) => !op.startsWith("logical")).flatMap((op) =>
  SCALAR_NAMES.filter((type) => opExists(op, type)).map((type) => ({ op, type })),
);

describe("the properties in the table of operators", () => {
  it.each(BUILT_IN)("$op of $type", ({ op, type }) => {
    const operator = scalarOperator(
      op,
      type,
      OPS[op].identity(type),
      (a, b) => a.op(op as BinaryOp, b),
      true,
    );
    const { associative, commutative, ...identity } = lawsOf(operator);
    expect(associative.held).toBe(OPS[op].exactlyAssociative(type) ? true : "up to rounding");
    expect(commutative.held).toBe(true);
    // The one that everybody knows: 0 + -0 is 0.
    const held = op === "add" && SCALARS[type].kind === "float" ? "up to the sign of zero" : true;
    expect(identity["identity-left"].held).toBe(held);
    expect(identity["identity-right"].held).toBe(held);
  });
});

describe("gcd and absdiff as operators", () => {
  const held = (type: Scalar, op: BinaryOp, identity: ScalarValue): unknown => {
    const laws = lawsOf(scalarOperator(op, type, identity, (a, b) => a.op(op, b), true));
    return [laws.associative.held, laws["identity-left"].held];
  };
  it.each(["u32", "u64"] as const)("gcd of %s is a monoid with identity 0", (type) => {
    expect(held(type, "gcd", SCALARS[type].whole(0))).toEqual([true, true]);
  });
  it.each(["i32", "i64"] as const)("of %s it is associative, and has no identity", (type) => {
    expect(held(type, "gcd", SCALARS[type].whole(0))).toEqual([true, false]);
  });
  it.each(["i32", "u32", "f32"] as const)("absdiff of %s is not associative", (type) => {
    expect(held(type, "absdiff", SCALARS[type].whole(0))).toEqual([false, expect.anything()]);
  });
});

const f32Mean = (wrong: "weights" | "none") =>
  operatorOf("mean", { count: "u32", mean: "f32" }, { count: 0, mean: 0 }, (a, b) => {
    const count = a.count.op("add", b.count);
    const weight = wrong === "none" ? b.count.to("f32").op("div", count.to("f32")) : a.mean.const(0.5);
    const mean = a.mean.op("add", b.mean.op("sub", a.mean).op("mul", weight));
    const isEmpty = b.count.op("eq", 0);
    const isFirst = a.count.op("eq", 0);
    return { count, mean: isEmpty.select(a.mean, isFirst.select(b.mean, mean)) };
  });
/** Counts and means that numbers can have. */
const COUNTED: readonly (readonly ScalarValue[])[] = [1, 2, 3, 1000].flatMap((count) =>
  [0, 1, -2.5, Math.fround(0.1), Math.fround(1e10)].map((mean) => [count, mean]),
);

interface Mutant {
  readonly about: string;
  readonly operator: Operator;
  readonly breaks: readonly Law[];
  readonly options?: LawsOptions;
}
const LARGEST = 3.4028234663852886e38;
const both: readonly Law[] = ["identity-left", "identity-right"];
const MUTANTS: readonly Mutant[] = [
  {
    about: "subtraction",
    operator: scalarOperator("sub", "f32", 0, (a, b) => a.op("sub", b)),
    breaks: ["associative", "identity-left"],
  },
  {
    about: "average",
    operator: scalarOperator("average", "f32", 0, (a, b) => a.op("add", b).op("mul", 0.5), true),
    breaks: ["associative", ...both],
  },
  {
    about: "division",
    operator: scalarOperator("div", "f64", 1, (a, b) => a.op("div", b)),
    breaks: ["associative", "identity-left"],
  },
  {
    about: "exponential smoothing without the weight of the earlier values",
    operator: scalarOperator("smooth", "f32", 0, (a, b) => a.op("mul", 0.75).op("add", b)),
    breaks: ["associative", "identity-right"],
  },
  {
    about: "a mean of means that forgets the counts",
    operator: f32Mean("weights"),
    options: { operands: COUNTED },
    breaks: ["associative"],
  },
  {
    about: "the least finite number as the identity of max",
    operator: scalarOperator("max", "f32", -LARGEST, (a, b) => a.op("max", b), true),
    breaks: both,
  },
  {
    about: "0 as the identity of max on integers",
    operator: scalarOperator("max", "i32", 0, (a, b) => a.op("max", b), true),
    breaks: both,
  },
  {
    about: "a maximum by comparison: the result depends on the side of a NaN",
    operator: scalarOperator("greater", "f32", Number.NEGATIVE_INFINITY, (a, b) =>
      b.op("gt", a).select(b, a),
    ),
    breaks: ["associative"],
  },
  {
    about: "saturating addition of signed integers",
    operator: scalarOperator("saturate", "i32", 0, (a, b) => {
      const sum = a.to("i64").op("add", b.to("i64"));
      return sum.op("min", 0x7fffffffn).op("max", -0x80000000n).to("i32");
    }),
    breaks: ["associative"],
  },
  {
    about: "a sum modulo 1000 that overflows",
    operator: scalarOperator("modular", "u32", 0, (a, b) => a.op("add", b).op("rem", 1000), true),
    breaks: ["associative", ...both],
  },
  {
    about: "concatenation that is declared commutative",
    operator: operatorOf(
      "affine",
      { a: "i32", b: "i32" },
      { a: 1, b: 0 },
      (f, g) => ({ a: f.a.op("mul", g.a), b: g.a.op("mul", f.b).op("add", g.b) }),
      true,
    ),
    breaks: ["commutative"],
  },
  {
    about: "a linear recurrence with the sides mixed up",
    operator: operatorOf("affine", { a: "u32", b: "u32" }, { a: 1, b: 0 }, (f, g) => ({
      a: f.a.op("mul", g.a),
      b: g.a.op("mul", g.b).op("add", f.b),
    })),
    breaks: ["associative", "identity-left"],
  },
  {
    about: "rounding to whole numbers in between",
    operator: scalarOperator("whole", "f32", 0, (a, b) => a.op("add", b).to("i32").to("f32"), true),
    breaks: ["associative", ...both],
  },
  {
    about: "the first of equals, declared commutative",
    operator: operatorOf(
      "argmax",
      { value: "i32", index: "u32" },
      { value: -0x80000000, index: 0xffffffff },
      (a, b) => {
        const better = b.value.op("gt", a.value);
        return { value: better.select(b.value, a.value), index: better.select(b.index, a.index) };
      },
      true,
    ),
    options: { operands: [...Array(8).keys()].map((i) => [i % 3, i]) },
    breaks: ["commutative"],
  },
  {
    about: "a nand",
    operator: scalarOperator("nand", "bool", true, (a, b) => a.op("and", b).unary("not"), true),
    breaks: ["associative", ...both],
  },
  {
    about: "an absolute difference",
    operator: scalarOperator("distance", "u64", 0n, (a, b) => a.op("max", b).op("sub", a.op("min", b)), true),
    breaks: ["associative"],
  },
];

describe("wrong operators are rejected", () => {
  it.each(MUTANTS)("$about", ({ operator, breaks, options }) => {
    const results = checkLaws(operator, options);
    expect(
      results
        .filter(({ ok }) => !ok)
        .map(({ law }) => law)
        .sort(),
    ).toEqual([...breaks].sort());
    for (const { law, counterexample, held } of results.filter(({ ok }) => !ok)) {
      expect(held).toBe(false);
      // The counterexample is one: the operator itself says so.
      const state = (named: Readonly<Record<string, Literal>> | undefined): ScalarValue[] =>
        operator.fields.map(({ name, type }) => decodeLiteral(type, named?.[name]) as ScalarValue);
      const { a, b, c, left, right } = counterexample!;
      const op = (x: ScalarValue[], y: ScalarValue[]): ScalarValue[] => applyOperator(operator, x, y);
      const [x, y, z, e] = [state(a), state(b), state(c), identityOf(operator)];
      const sides = {
        associative: () => [op(op(x, y), z), op(x, op(y, z))],
        commutative: () => [op(x, y), op(y, x)],
        "identity-left": () => [op(e, x), x],
        "identity-right": () => [op(x, e), x],
      }[law]();
      expect([state(left), state(right)]).toEqual(sides);
      expect(left).not.toEqual(right);
    }
  });
});

describe("correct operators are accepted", () => {
  const linear = (type: Scalar) => {
    const [zero, one] = typeof SCALARS[type].lowest === "bigint" ? [0n, 1n] : [0, 1];
    return operatorOf("affine", { a: type, b: type }, { a: one, b: zero }, (f, g) => ({
      a: f.a.op("mul", g.a),
      b: g.a.op("mul", f.b).op("add", g.b),
    }));
  };
  it.each(["i32", "u32", "i64", "u64"] as const)("affine maps of %s, bit for bit", (type) => {
    expect(heldOf(linear(type))).toEqual({
      associative: true,
      commutative: false,
      "identity-left": true,
      "identity-right": true,
    });
  });
  it.each(["f16", "f32", "f64"] as const)(
    "affine maps of %s, up to rounding; infinities are reported",
    (type) => {
      const laws = lawsOf(linear(type));
      expect(laws.associative).toMatchObject({ held: "up to rounding", ok: true });
      expect(laws["identity-left"]).toMatchObject({ held: "up to the sign of zero", ok: true });
      const { a, left, right } = laws["identity-left"].nonFinite!;
      expect([a, left, right]).toEqual([
        { a: "inf", b: 0 },
        { a: "inf", b: "nan" },
        { a: "inf", b: 0 },
      ]);
      expect(laws["identity-right"].nonFinite).toBeUndefined();
    },
  );
  it("means with their counts", () => {
    expect(heldOf(f32Mean("none"), { operands: COUNTED })).toEqual({
      associative: "up to rounding",
      commutative: "up to rounding",
      "identity-left": true,
      "identity-right": true,
    });
  });
  it("sums that overflow: a limit of the type, not of the operator", () => {
    const sum = scalarOperator("sum", "f16", 0, (a, b) => a.op("add", b), true);
    const operands = [[60000], [-60000], [5000]];
    expect(heldOf(sum, { operands }).associative).toBe("up to rounding");
  });
});

it("declared commutativity must hold bit for bit", () => {
  const operator = (commutative: boolean) => ({ ...f32Mean("none"), commutative });
  expect(lawsOf(operator(false), { operands: COUNTED }).commutative).toMatchObject({
    ok: true,
    claimed: false,
  });
  const claimed = lawsOf(operator(true), { operands: COUNTED }).commutative;
  expect(claimed).toMatchObject({ ok: false, claimed: true, held: "up to rounding" });
  expect(claimed.counterexample).toBeDefined();
});

describe("counterexamples are small", () => {
  it.each([
    [
      "subtraction",
      0,
      "associative",
      { a: { x: 0 }, b: { x: 0 }, c: { x: 1 }, left: { x: -1 }, right: { x: 1 } },
    ],
    [
      "average",
      1,
      "associative",
      { a: { x: 1 }, b: { x: 0 }, c: { x: 0 }, left: { x: 0.25 }, right: { x: 0.5 } },
    ],
    ["infinity", 5, "identity-left", { a: { x: "-inf" }, left: { x: -LARGEST }, right: { x: "-inf" } }],
    ["saturation", 8, "associative", undefined],
  ] as const)("%s", (_, index, law, expected) => {
    const { counterexample } = lawsOf(MUTANTS[index]!.operator)[law as Law];
    if (expected) expect(counterexample).toEqual(expected);
    else {
      const { a, b, c } = counterexample!;
      const hard = [a, b, c].filter((state) => Math.abs(Number(state?.x)) > 2);
      expect(hard).toHaveLength(1);
    }
  });
});

it("states that never occur break no law", () => {
  // Residues below 1000 do not overflow.
  const modular = MUTANTS.find(({ operator }) => operator.name === "modular")!.operator;
  const residues = [...Array(20).keys()].map((i) => [(i * 377) % 1000]);
  expect(checkLaws(modular, { operands: residues }).every(({ held }) => held === true)).toBe(true);
});

it("the same seed tests the same values, and a small number of samples is accepted", () => {
  const { operator } = MUTANTS[0]!;
  expect(checkLaws(operator, { seed: 7 })).toEqual(checkLaws(operator, { seed: 7 }));
  expect(
    lawsOf(
      scalarOperator("or", "u32", 0, (a, b) => a.op("or", b)),
      { samples: 1 },
    ).associative.samples,
  ).toBe(1);
  expect(errorFrom(() => checkLaws(operator, { samples: 0 })).code).toBe("bad-usage");
});

it("prints its findings", () => {
  expect(show(MUTANTS[1]!.operator)).toMatchInlineSnapshot(`
    "operator average { x: f32 }, on arbitrary values
      associative:    DOES NOT HOLD
        a            = { x: 1 }
        b            = { x: 0 }
        c            = { x: 0 }
        (a ∘ b) ∘ c  = { x: 0.25 }
        a ∘ (b ∘ c)  = { x: 0.5 }
      commutative:    holds, 2,000 samples
      identity-left:  DOES NOT HOLD
        a            = { x: 1 }
        identity ∘ a = { x: 0.5 }
      identity-right: DOES NOT HOLD
        a            = { x: 1 }
        a ∘ identity = { x: 0.5 }
    "
  `);
  expect(show(scalarOperator("sum", "f32", 0, (a, b) => a.op("add", b), true))).toMatchInlineSnapshot(`
    "operator sum { x: f32 }, on arbitrary values
      associative:    holds up to rounding, 2,000 samples
      commutative:    holds, 2,000 samples
      identity-left:  holds up to the sign of zero, 130 samples
      identity-right: holds up to the sign of zero, 130 samples
    "
  `);
});
