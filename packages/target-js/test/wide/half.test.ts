/** Halves that are held in floats, against the exact rounding of the table of types. */

import type { Expr } from "@groupwise/core/kernel";
import { halfToNumber, numberToHalf } from "@groupwise/core/target";
import {
  bitsOfHalf,
  floatOfHalfBits,
  halfBitsOf,
  roundHalf,
  roundHalfSum,
} from "@groupwise/kernel/library/types/half.js";
import { describe, expect, it } from "vitest";
import { compile, expectSame, type Operation, randomWords } from "./harness.ts";

const PAIRS = process.env.GROUPWISE_FULL ? 8_000_000 : 300_000;
const ALL = 65536;

const arithmetic = (op: "add" | "sub" | "mul", round: (x: Expr) => Expr): Operation => ({
  from: ["f16", "f16"],
  to: "f16",
  write: (_, a, b) => round({ kind: "binary", op, left: a as Expr, right: b as Expr, type: "f32" }),
});
const runs = compile({
  round: { from: ["f32"], to: "f32", write: (_, x) => roundHalf(x as Expr) },
  encode: { from: ["f32"], to: "u32", write: (_, x) => halfBitsOf(x as Expr) },
  roundSum: { from: ["f32"], to: "f32", write: (_, x) => roundHalfSum(x as Expr) },
  stored: { from: ["f32"], to: "u32", write: (_, x) => bitsOfHalf(x as Expr) },
  decode: { from: ["u32"], to: "f32", write: (_, x) => floatOfHalfBits(x as Expr) },
  add: arithmetic("add", roundHalfSum),
  sub: arithmetic("sub", roundHalfSum),
  mul: arithmetic("mul", roundHalf),
});

/** Every half, every float between two halves, their neighbours, and random ones. */
function floats(): Float32Array {
  const view = new Float32Array(1);
  const bits = new Uint32Array(view.buffer);
  const found: number[] = [];
  const around = (x: number): void => {
    view[0] = x;
    const middle = bits[0] as number;
    for (const near of [-1, 0, 1]) {
      bits[0] = middle + near;
      found.push(view[0] as number);
    }
  };
  for (let i = 0; i < ALL; i++) {
    const [x, next] = [halfToNumber(i), halfToNumber(i + 1)];
    around(x);
    if (Number.isFinite(x)) around(Number.isFinite(next) ? (x + next) / 2 : Math.sign(x) * 65520);
  }
  const next = randomWords(0x2545f491);
  for (let i = 0; i < PAIRS; i++) {
    bits[0] = i % 2 ? next() : (next() & 0x807fffff) | ((98 + (next() % 50)) << 23);
    found.push(view[0] as number);
  }
  return Float32Array.from(found);
}

/** Every two exponents and signs, with digits that are few, many, or make a tie, and those beside them. */
function hardSums(): readonly number[] {
  const digits = [0, 1, 2, 3, 0x155, 0x1ff, 0x200, 0x201, 0x2aa, 0x3fd, 0x3fe, 0x3ff];
  const halves: number[] = [];
  for (let exponent = 0; exponent < 32; exponent++)
    for (const digit of digits) halves.push((exponent << 10) | digit, 0x8000 | (exponent << 10) | digit);
  return halves.flatMap((a) => halves.flatMap((b) => [a, b]));
}

/** The sum of two halves by their bits: exact in units of 2^-24 as a BigInt, then rounded there. */
function exactSum(a: number, b: number): number {
  const [x, y] = [halfToNumber(a), halfToNumber(b)];
  if (!Number.isFinite(x) || !Number.isFinite(y)) return x + y;
  const units = (half: number): bigint => {
    const [exponent, digits] = [(half >> 10) & 31, BigInt(half & 0x3ff)];
    const size = exponent === 0 ? digits : (digits + 1024n) << BigInt(exponent - 1);
    return half & 0x8000 ? -size : size;
  };
  const sum = units(a) + units(b);
  if (sum === 0n) return a & b & 0x8000 ? -0 : 0;
  const size = sum < 0n ? -sum : sum;
  const drop = BigInt(Math.max(size.toString(2).length - 11, 0));
  const [kept, rest] = [size >> drop, (size & ((1n << drop) - 1n)) << 1n];
  const up = rest > 1n << drop || (rest === 1n << drop && drop > 0n && (kept & 1n) === 1n);
  const rounded = (kept + (up ? 1n : 0n)) << drop;
  const magnitude = rounded >= 1n << 40n ? Number.POSITIVE_INFINITY : Number(rounded) * 2 ** -24;
  return sum < 0n ? -magnitude : magnitude;
}

const same = (
  name: string,
  got: ArrayLike<number>,
  want: (i: number) => unknown,
  operands: (i: number) => unknown = String,
): void => expectSame(name, got.length, (i) => got[i], want, operands);

describe("halves in floats", () => {
  it("all 65,536 are converted from floats and back, for any upper bits", () => {
    const bits = Uint32Array.from({ length: ALL }, (_, i) => i | (i << 16));
    const values = new Float32Array(ALL);
    runs.decode(ALL, bits, values);
    same("decode", values, halfToNumber);
    const back = new Uint32Array(ALL);
    runs.encode(ALL, values, back);
    const isNaNHalf = (i: number): boolean => (i & 0x7fff) > 0x7c00;
    same("encode", back, (i) => (isNaNHalf(i) ? 0x7e00 : i));
    runs.stored(ALL, values, back);
    const stored = Array.from(back, (half) => (isNaNHalf(half) ? Number.NaN : half));
    same("stored", stored, (i) => (isNaNHalf(i) ? Number.NaN : i));
    for (const name of ["round", "roundSum"] as const) {
      const rounded = new Float32Array(ALL);
      runs[name](ALL, values, rounded);
      same(name, rounded, (i) => values[i]);
    }
  });

  it("floats round to the nearest one, ties to even", () => {
    const x = floats();
    const rounded = new Float32Array(x.length);
    const bits = new Uint32Array(x.length);
    runs.round(x.length, x, rounded);
    runs.encode(x.length, x, bits);
    const want = Uint16Array.from(x, numberToHalf);
    same(
      "encode",
      bits,
      (i) => want[i],
      (i) => x[i],
    );
    same(
      "round",
      rounded,
      (i) => halfToNumber(want[i] as number),
      (i) => x[i],
    );
  });

  it("sums of every two exponents round to the nearest one, ties to even, whatever the distance from the tie", () => {
    const pairs = hardSums();
    const count = pairs.length / 2;
    const [a, b] = [0, 1].map((k) =>
      Float32Array.from({ length: count }, (_, i) => halfToNumber(pairs[2 * i + k] ?? 0)),
    );
    const out = new Float32Array(count);
    for (const op of ["add", "sub"] as const) {
      runs[op](count, a as Float32Array, b as Float32Array, out);
      const turn = op === "sub" ? 0x8000 : 0;
      const want = (i: number) => exactSum(pairs[2 * i] ?? 0, (pairs[2 * i + 1] ?? 0) ^ turn);
      same(op, out, want, (i) => `${a?.[i]}, ${b?.[i]}`);
    }
  });

  it("NaNs of any device stay NaN in sums", () => {
    const quiet = [0x7fffffff, 0x7fc00000, 0xffc00000, 0x7fffe000, 0xffffe000];
    const bits = Uint32Array.of(...quiet, 0x7f802000, 0xff802000);
    const out = new Float32Array(bits.length);
    runs.roundSum(bits.length, new Float32Array(bits.buffer), out);
    expect([...out].every(Number.isNaN)).toBe(true);
    // Rounded to a half, none has digits left.
    const rounded = new Float32Array(bits.length);
    runs.round(bits.length, new Float32Array(bits.buffer), rounded);
    expect([...new Uint32Array(rounded.buffer)].map((x) => x & 0x1fff)).toEqual(Array(bits.length).fill(0));
  });

  it(`sums and products agree on ${PAIRS} pairs`, () => {
    const next = randomWords(0x9e3779b9);
    const special = [0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0xfc00, 0x7e00];
    const any = (): number => halfToNumber(next() % 16 ? next() & 0xffff : (special[next() % 11] as number));
    const [a, b] = [Float32Array.from({ length: PAIRS }, any), Float32Array.from({ length: PAIRS }, any)];
    const out = new Float32Array(PAIRS);
    const exact = {
      add: (i: number) => (a[i] as number) + (b[i] as number),
      sub: (i: number) => (a[i] as number) - (b[i] as number),
      mul: (i: number) => (a[i] as number) * (b[i] as number),
    };
    for (const op of ["add", "sub", "mul"] as const) {
      runs[op](PAIRS, a, b, out);
      const want = (i: number) => halfToNumber(numberToHalf(exact[op](i)));
      same(op, out, want, (i) => `${a[i]}, ${b[i]}`);
    }
    expect(out.some((x) => x !== 0 && Math.abs(x) < 2 ** -14)).toBe(true);
  });
});
