/** Changes the functions of the emulation a little, one change at a time: the comparisons must notice. */
import { GroupwiseError } from "@groupwise/core";
import { allExprs, type Fn, walk } from "@groupwise/core/kernel";
import { HALF_FUNCTIONS } from "@groupwise/kernel/library/types/half.js";
import { expect, it } from "vitest";
import { check } from "./data.ts";
import { EMULATION, functionsOf } from "./harness.ts";
import { mutantsOf } from "./mutants.ts";
import { binaryOf, castsFrom, type Known, unaryOf } from "./operations.ts";

/** A first look, and one at as many pairs as the other tests have, for carries that hardly ever decide. */
const LOOKS = [12_000, 500_000];
/** All of them take a minute or two. */
const EVERY = process.env.GROUPWISE_FULL ? 1 : 24;

/** Changes that change nothing, and why. */
const EQUAL: Readonly<Record<string, string>> = {
  "shl_u64: left of and alone": "JavaScript masks the amount by itself",
  "shr_u64: left of and alone": "JavaScript masks the amount by itself",
  "shr_i64: left of and alone": "JavaScript masks the amount by itself",
  "divide_u64: the second choice always": "too few zeros of the dividend cost steps, no more",
  "divide_u64: left of add alone": "too few zeros of the dividend cost steps, no more",
  "divide_u64: 32 - 1": "too few zeros of the dividend cost steps, no more",
  "divide_u64: left of sub alone": "too far a shift costs steps, no more",
  "shr_sticky_u64: 63 - 1": "what is left lies below all that rounding looks at",
  "shr_sticky_u64: left of and alone": "JavaScript masks the amount by itself",
  "shr_sticky_u64: 1 + 1": "what is left lies below all that rounding looks at",
  "leading_zeros_u64: 1 + 1":
    "without any bit of the next 23, no direction of rounding gives the next power of two",
  "gcd_u64: sub for add": "a shift by 64 less is the same shift",
  "gcd_u64: le for lt": "equal numbers have returned before",
  "gcd_u64: 0 + 1": "one step less still suffices",
  "pack_f64: 1023 + 1": "an exponent that is too large or too small is neither",
  "pack_f64: 1023 - 1": "an exponent that is too large or too small is neither",
  "pack_f64: le for lt": "an exponent that is too large or too small is neither",
  "pack_f64: 1 + 1": "shifts by 0",
  "add_f64: le for lt": "swaps equal magnitudes; a total that has lost 22 digits needs no rounding",
  "rare_sum_f64: 0 + 1": "another NaN",
  "rare_sum_f64: gt for ge": "a total that has lost 22 digits needs no rounding",
  "rare_sum_f64: 31 - 1": "a total that has lost 22 digits has the sign in 24 bits",
  "mul_f64: 0 + 1": "another NaN",
  "div_f64: 0 + 1": "another NaN; and a doubled rest is never 1",
  "min_f64: 0 + 1": "another NaN",
  "max_f64: 0 + 1": "another NaN",
  "f64_of_f32: le for lt": "shifts by 0",
  "pack_f32: le for lt": "shifts by 0",
  "pack_f32: 1 + 1": "shifts by 0",
  "pack_f32: 31 - 1": "what is left lies below all that rounding looks at",
  "f32_of_f64: 11 - 1": "a bit that is there tells of itself again",
  "i64_of_f64: le for lt": "-0 and what truncates to it",
};

const operations: Readonly<Record<string, Known>> = {
  ...binaryOf("f64"),
  ...castsFrom("f64"),
  ...castsFrom("f32"),
  ...castsFrom("i64"),
  ...binaryOf("i64"),
  ...binaryOf("u64"),
  ...unaryOf("i64"),
};
const byName = new Map(functionsOf(operations).map((fn) => [fn.name, fn]));

/** The operations that come to call the function. */
function usersOf(name: string): Record<string, Known> {
  const calls = (fn: Fn): boolean =>
    fn.name === name ||
    [...allExprs(fn.body), ...walk(fn.body)].some((c) => c.kind === "call" && calls(byName.get(c.fn) as Fn));
  return Object.fromEntries(Object.entries(operations).filter(([op]) => calls(byName.get(op) as Fn)));
}

function isNoticed(users: Readonly<Record<string, Known>>, fn: Fn, pairs: number): boolean {
  try {
    check(
      users,
      pairs,
      EMULATION.map((other) => (other.name === fn.name ? fn : other)),
    );
    return false;
  } catch (error) {
    if (error instanceof GroupwiseError) throw error;
    return true;
  }
}

it("one change in any function is detected", () => {
  const mutants = EMULATION.filter((fn) => !HALF_FUNCTIONS.includes(fn)).flatMap(mutantsOf);
  const unnoticed = mutants
    .filter((_, i) => i % EVERY === 0)
    .filter(
      ({ what, fn }) => EQUAL[what] === undefined && !LOOKS.some((n) => isNoticed(usersOf(fn.name), fn, n)),
    );
  expect(mutants.length).toBeGreaterThan(800);
  expect(unnoticed.map(({ what, where }) => `${what}, ${where}`)).toEqual([]);
});
