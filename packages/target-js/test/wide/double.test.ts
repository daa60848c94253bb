/** Doubles on words, against the host's own. */
import { describe, it } from "vitest";
import { check } from "./data.ts";
import { binaryOf, castsFrom, type Known, unaryOf } from "./operations.ts";

const PAIRS = process.env.GROUPWISE_FULL ? 16_000_000 : 300_000;

const all = binaryOf("f64");
const first = (names: readonly string[], wanted: boolean): Record<string, Known> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name) === wanted));
const MAIN = ["add_of_f64", "mul_of_f64"];

describe("doubles on words", () => {
  it(`sums and products agree on ${PAIRS} pairs`, () => check(first(MAIN, true), PAIRS));
  it("the other operators agree", () => check({ ...first(MAIN, false), ...unaryOf("f64") }, PAIRS / 4));
  it("conversions from doubles agree", () => check(castsFrom("f64"), PAIRS / 4));
  it.each(["i32", "u32", "f16", "f32", "bool"] as const)(
    "conversions from %s agree, to integers of 64 bits too",
    (from) => check(castsFrom(from), PAIRS / 4),
  );
});
