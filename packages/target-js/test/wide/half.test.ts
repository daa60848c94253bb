/** Halves that are held in floats, against the exact rounding of the table of types. */

import type { Expr } from "@groupwise/core/kernel";
import { halfToNumber, numberToHalf } from "@groupwise/core/target";
import { describe, expect, it } from "vitest";
import { floatOfHalfBits, halfBitsOf, roundHalf } from "../../../core/src/compiler/soft/half.ts";
import { compile, expectSame, type Operation, randomWords } from "./harness.ts";

const PAIRS = process.env.GROUPWISE_FULL ? 8_000_000 : 300_000;
const ALL = 65536;

const arithmetic = (op: "add" | "mul"): Operation => ({
  from: ["f16", "f16"],
  to: "f16",
  write: (_, a, b) => roundHalf({ kind: "binary", op, left: a as Expr, right: b as Expr, type: "f32" }),
});
const runs = compile({
  round: { from: ["f32"], to: "f32", write: (_, x) => roundHalf(x as Expr) },
  encode: { from: ["f32"], to: "u32", write: (_, x) => halfBitsOf(x as Expr) },
  decode: { from: ["u32"], to: "f32", write: (_, x) => floatOfHalfBits(x as Expr) },
  add: arithmetic("add"),
  mul: arithmetic("mul"),
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

describe("halves in floats", () => {
  it("all 65,536 are converted from floats and back, for any upper bits", () => {
    const bits = Uint32Array.from({ length: ALL }, (_, i) => i | (i << 16));
    const values = new Float32Array(ALL);
    runs.decode(ALL, bits, values);
    expectSame("decode", ALL, (i) => values[i], halfToNumber, String);
    const back = new Uint32Array(ALL);
    runs.encode(ALL, values, back);
    expectSame(
      "encode",
      ALL,
      (i) => back[i],
      (i) => (Number.isNaN(values[i]) ? 0x7e00 : i),
      String,
    );
    const rounded = new Float32Array(ALL);
    runs.round(ALL, values, rounded);
    expectSame(
      "round",
      ALL,
      (i) => rounded[i],
      (i) => values[i],
      String,
    );
  });

  it("floats round to the nearest one, ties to even", () => {
    const x = floats();
    const rounded = new Float32Array(x.length);
    const bits = new Uint32Array(x.length);
    runs.round(x.length, x, rounded);
    runs.encode(x.length, x, bits);
    const want = Uint16Array.from(x, numberToHalf);
    expectSame(
      "encode",
      x.length,
      (i) => bits[i],
      (i) => want[i],
      (i) => x[i],
    );
    expectSame(
      "round",
      x.length,
      (i) => rounded[i],
      (i) => halfToNumber(want[i] as number),
      (i) => x[i],
    );
  });

  it(`sums and products agree on ${PAIRS} pairs`, () => {
    const next = randomWords(0x9e3779b9);
    const special = [0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0xfc00, 0x7e00];
    const any = (): number => halfToNumber(next() % 16 ? next() & 0xffff : (special[next() % 11] as number));
    const [a, b] = [Float32Array.from({ length: PAIRS }, any), Float32Array.from({ length: PAIRS }, any)];
    const out = new Float32Array(PAIRS);
    const exact = {
      add: (i: number) => (a[i] as number) + (b[i] as number),
      mul: (i: number) => (a[i] as number) * (b[i] as number),
    };
    for (const op of ["add", "mul"] as const) {
      runs[op](PAIRS, a, b, out);
      const want = (i: number) => halfToNumber(numberToHalf(exact[op](i)));
      expectSame(
        op,
        PAIRS,
        (i) => out[i],
        want,
        (i) => `${a[i]}, ${b[i]}`,
      );
    }
    expect(out.some((x) => x !== 0 && Math.abs(x) < 2 ** -14)).toBe(true);
  });
});
