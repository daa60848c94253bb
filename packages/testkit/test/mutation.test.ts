/** The suite can fail: it detects each of these faults, and accepts a device without faults. */
import type { Scalar, ScalarValue } from "@groupwise/core";
import { OPS, SCALARS } from "@groupwise/core/target";
import { describe, expect, it } from "vitest";
import { checksOf, runCheck } from "../src/checks/index.ts";
import { isFullRun } from "../src/conformance.ts";
import { Subject } from "../src/subject/subject.ts";
import { doubling, type Fault, leftToRight, mutant, rightToLeft, tiles } from "./mutants.ts";

const isFloat = (type: Scalar): boolean => SCALARS[type].kind === "float";
const FLT_MAX = (2 - 2 ** -23) * 2 ** 127;
const WORD = 0xffffffffn;
/** The half that is next nearer to zero. */
const towardsZero = (x: number): number =>
  SCALARS.f16.fromHost((SCALARS.f16.toHost(x) as number) - 1) as number;
/** a + b, rounded away from zero where it lies halfway: the error of the sum shows it (Knuth). */
function tiesAway(a: number, b: number): number {
  const sum = a + b;
  if (!Number.isFinite(sum) || sum === 0) return sum;
  const t = sum - a;
  const error = a - (sum - t) + (b - t);
  const bits = new BigInt64Array(new Float64Array([sum]).buffer);
  const next = new Float64Array(BigInt64Array.of((bits[0] as bigint) + 1n).buffer)[0] as number;
  return error !== 0 && error * 2 === next - sum ? next : sum;
}
const wrap = (type: Scalar, x: number): ScalarValue => SCALARS[type].wrap(x);

interface Mutation {
  readonly name: string;
  readonly fault: Fault;
  /** Checks that detect it by comparison with the reference. */
  readonly seenBy: RegExp;
  /** Whether the laws alone detect it. */
  readonly breaksLaws?: true;
}

const MUTATIONS: readonly Mutation[] = [
  { name: "sums from left to right", fault: { prefixes: leftToRight }, seenBy: /of f32/ },
  { name: "sums from right to left", fault: { prefixes: rightToLeft }, seenBy: /of f32/ },
  {
    name: "sums in tiles, then of tiles",
    fault: { prefixes: tiles(16) },
    seenBy: /of f32/,
  },
  { name: "sums by doubling distances", fault: { prefixes: doubling }, seenBy: /of f32/ },
  {
    name: "a combine with the empty prefix: +0 + -0",
    fault: { seed: (op, type) => OPS[op].identity(type) },
    seenBy: /of f32/,
    breaksLaws: true,
  },
  {
    name: "a wrong seed",
    fault: { seed: (op, type) => (op === "add" ? wrap(type, 1) : OPS[op].identity(type)) },
    seenBy: /of u32/,
    breaksLaws: true,
  },
  {
    name: "finite identities of min and max",
    fault: {
      identity: (op, type) => {
        const exact = OPS[op].identity(type);
        return isFloat(type) && typeof exact === "number" && !Number.isFinite(exact)
          ? Math.sign(exact) * FLT_MAX
          : exact;
      },
    },
    seenBy: /of f32/,
    breaksLaws: true,
  },
  {
    name: "the least finite number as the identity",
    fault: {
      seed: (op, type) =>
        isFloat(type) && (op === "min" || op === "max")
          ? { min: FLT_MAX, max: -FLT_MAX }[op]
          : OPS[op].identity(type),
    },
    seenBy: /of f32/,
    breaksLaws: true,
  },
  {
    name: "exclusive scans that start at 0",
    fault: { identity: (_, type) => wrap(type, 0) },
    seenBy: /of i32/,
    breaksLaws: true,
  },
  {
    name: "exclusive groups that start at the identity after the first, and at 0 then",
    fault: {
      after: (node, { start }, values) => {
        if (node.kind === "scan-exclusive" && start > 0) values[0] = wrap(node.type, 0);
      },
    },
    seenBy: /work-group collective of i32/,
    breaksLaws: true,
  },
  {
    name: "minima that drop NaN",
    fault: {
      apply: (op, type, a, b) =>
        isFloat(type) && op === "min" ? ((b as number) < (a as number) ? b : a) : OPS[op].apply(type, a, b),
    },
    seenBy: /of f32/,
  },
  {
    name: "maxima for which -0 is +0",
    fault: {
      apply: (op, type, a, b) =>
        isFloat(type) && op === "max" && a === 0 && b === 0 ? a : OPS[op].apply(type, a, b),
    },
    seenBy: /of f32/,
  },
  {
    name: "a last group that counts items which do not exist",
    fault: {
      after: (node, { size, length }, values) => {
        if (node.kind === "reduce" && length < size)
          values[0] = OPS[node.op].apply(node.type, values[0] as ScalarValue, wrap(node.type, 0));
      },
    },
    seenBy: /work-group collective of u32/,
    breaksLaws: true,
  },
  {
    name: "a last element that is lost",
    fault: {
      after: (node, { length }, values) => {
        if (node.kind === "scan-inclusive" && length > 1)
          values[length - 1] = values[length - 2] as ScalarValue;
      },
    },
    seenBy: /of bool/,
    breaksLaws: true,
  },
  {
    name: "logical operators that combine bits",
    fault: {
      apply: (op, type, a, b) =>
        op === "logical-xor" && type !== "bool"
          ? typeof a === "bigint"
            ? (a as bigint) ^ (b as bigint)
            : wrap(type, Number(a) + Number(b))
          : OPS[op].apply(type, a, b),
    },
    seenBy: /of u32/,
  },
  {
    name: "comparisons of u32 as if they were signed",
    fault: {
      apply: (op, type, a, b) =>
        type === "u32" && op === "max"
          ? ((a as number) | 0) > ((b as number) | 0)
            ? a
            : b
          : OPS[op].apply(type, a, b),
    },
    seenBy: /of u32/,
  },
  {
    name: "products through floats",
    fault: {
      apply: (op, type, a, b) =>
        op === "mul" && SCALARS[type].bits === 32 && !isFloat(type)
          ? wrap(type, Number(a) * Number(b))
          : OPS[op].apply(type, a, b),
    },
    seenBy: /of i32/,
  },
  {
    name: "sums of 64-bit integers that lose the carry between their words",
    fault: {
      apply: (op, type, a, b) => {
        const exact = OPS[op].apply(type, a, b);
        if (op !== "add" || typeof a !== "bigint" || typeof b !== "bigint") return exact;
        const low = (a & WORD) + (b & WORD);
        return low > WORD ? SCALARS[type].wrap((exact as bigint) - 2n ** 32n) : exact;
      },
    },
    seenBy: /of [iu]64/,
  },
  {
    name: "maxima of i64 that compare the lower words as if they were signed",
    fault: {
      apply: (op, type, a, b) => {
        if (type !== "i64" || op !== "max") return OPS[op].apply(type, a, b);
        const flip = (x: ScalarValue): bigint => BigInt.asIntN(64, (x as bigint) ^ 0x80000000n);
        return flip(a) > flip(b) ? a : b;
      },
    },
    seenBy: /of i64/,
  },
  {
    name: "64-bit integers that go through doubles",
    fault: {
      apply: (op, type, a, b) =>
        typeof a === "bigint" && op === "min"
          ? SCALARS[type].wrap(BigInt(Number(OPS[op].apply(type, a, b))))
          : OPS[op].apply(type, a, b),
    },
    seenBy: /of u64/,
  },
  {
    name: "f64 that is rounded to f32",
    fault: {
      apply: (op, type, a, b) => {
        const exact = OPS[op].apply(type, a, b);
        return type === "f64" ? Math.fround(exact as number) : exact;
      },
    },
    seenBy: /of f64/,
  },
  {
    name: "f64 sums whose ties go away from zero",
    fault: {
      apply: (op, type, a, b) =>
        type === "f64" && op === "add" ? tiesAway(a as number, b as number) : OPS[op].apply(type, a, b),
    },
    seenBy: /of f64/,
  },
  {
    name: "f16 whose ties are cut off",
    fault: {
      apply: (op, type, a, b) => {
        const exact = op === "add" ? (a as number) + (b as number) : Number.NaN;
        const rounded = OPS[op].apply(type, a, b);
        if (type !== "f16" || op !== "add" || !(Math.abs(exact) < 65504)) return rounded;
        return Math.abs(rounded as number) > Math.abs(exact) ? towardsZero(rounded as number) : rounded;
      },
    },
    seenBy: /of f16/,
  },
  {
    name: "flushed sums beside numbers that are not small",
    fault: {
      apply: (op, type, a, b) => {
        const exact = OPS[op].apply(type, a, b);
        return isFloat(type) && Math.abs(exact as number) < 1e-3 ? 0 : exact;
      },
    },
    seenBy: /of f32/,
  },
];

const COLLECTIVES = checksOf("quick").filter(({ name }) => /^every .* collective of|^the laws/.test(name));

async function failuresOf(fault: Fault, only: RegExp): Promise<string[]> {
  const subject = new Subject(mutant(fault), "quick");
  const results = [];
  for (const check of COLLECTIVES.filter(({ name }) => only.test(name)))
    results.push(await runCheck(check, subject));
  return results.flatMap(({ failures }) => failures);
}

describe("the suite", () => {
  it("accepts a device that computes by the reference", async () => {
    // Outside of full runs a float, an integer in one word and one in two; JavaScript has all checks.
    expect(await failuresOf({}, isFullRun() ? /./ : /of (f32|i32|u64)\b/)).toEqual([]);
  });

  // Outside of full runs every other one.
  it.each(MUTATIONS.filter((_, i) => isFullRun() || i % 2 === 0))(
    "detects $name",
    async ({ fault, seenBy }) => {
      const seen = new RegExp(`^every .*(?:${seenBy.source})`);
      expect(COLLECTIVES.filter(({ name }) => seen.test(name))).not.toEqual([]);
      const failures = await failuresOf(fault, seen);
      expect(failures).not.toEqual([]);
      // Detected as a wrong value, not by an error.
      expect(failures.join("\n")).not.toMatch(/Error:/);
    },
  );

  // Each law is broken by several: in full runs all.
  it.each(MUTATIONS.filter(({ breaksLaws }) => breaksLaws).filter((_, i) => isFullRun() || i % 2 === 0))(
    "detects $name by the laws alone",
    async ({ fault }) => {
      expect(await failuresOf(fault, /^the laws/)).not.toEqual([]);
    },
  );
});
