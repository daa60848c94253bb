/** 64-bit integers on words, against the reference's BigInt. */
import { describe, it } from "vitest";
import { check } from "./data.ts";
import { binaryOf, castsFrom, constantsOf, unaryOf } from "./operations.ts";

const COUNT = process.env.GROUPWISE_FULL ? 2_000_000 : 50_000;

describe.each(["i64", "u64"] as const)("%s on words", (type) => {
  it(`operators agree on ${COUNT} pairs`, () => check(binaryOf(type), COUNT), 120_000);
  it("operators of one value agree, and shifts by constants", () =>
    check({ ...unaryOf(type), ...constantsOf(type) }, COUNT / 4));
  it("conversions agree", () => check(castsFrom(type), COUNT / 2), 120_000);
});
