/** Operands that are hard by construction, and random ones. */
import type { Scalar } from "@groupwise/core";
import { halfToNumber } from "@groupwise/core/target";
import { doubles, integers } from "@groupwise/testkit";
import { compile, expectSame, randomWords, type Words } from "./harness.ts";
import { arrayOf, type Known, reader } from "./operations.ts";

type Fill = (count: number, next: () => number) => Words[];

const words: Fill = (count, next) => {
  const special = [0, 1, 31, 32, 33, 63, 64, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff];
  const fill = (): Uint32Array =>
    Uint32Array.from({ length: count }, (_, i) => special[i] ?? (next() % 2 ? next() : next() % 70));
  return [fill(), fill()];
};

/** Floats between others: halves' and floats' ties, and bounds of integers, each with its neighbours. */
const floats: Fill = (count, next) => {
  const bits = new Uint32Array(count);
  const view = new Float32Array(bits.buffer);
  const special = [0, 1, 0x7fffff, 0x800000, 0x800001, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x3f800000];
  for (let i = 0; i < count; i++) {
    if (i < special.length) bits[i] = special[i] as number;
    else if (i % 4 === 0) bits[i] = next();
    else if (i % 4 === 1) bits[i] = (next() & 0x807fffff) | ((120 + (next() % 80)) << 23);
    else if (i % 4 === 2) bits[i] = (next() & 0x80000000) | (next() >>> (9 + (next() % 20)));
    else {
      view[i] = 2 ** [31, 32, 63, 64, 0, 15][next() % 6]!;
      bits[i] = ((bits[i] as number) + (next() % 5) - 2) | (next() & 0x80000000);
    }
  }
  return [view, view];
};

const halves: Fill = (count, next) => {
  const view = Float32Array.from({ length: count }, (_, i) => halfToNumber(i < 65536 ? i : next() & 0xffff));
  return [view, view];
};

const signed =
  (fill: Fill): Fill =>
  (count, next) =>
    fill(count, next).map((array) => new Int32Array(array.buffer));
const bools: Fill = (count, next) => [Uint8Array.from({ length: count }, () => next() & 1)];

const FILL: Readonly<Record<Scalar, Fill>> = {
  i32: signed(words),
  u32: words,
  i64: integers,
  u64: integers,
  f16: halves,
  f32: floats,
  f64: doubles,
  bool: bools,
};

/** Runs all operations on operands of their types, and compares every result. */
export function check(operations: Readonly<Record<string, Known>>, count: number): void {
  const runs = compile(operations);
  const filled = new Map<Scalar, Words[]>();
  const operandsOf = (type: Scalar): Words[] => {
    if (!filled.has(type)) filled.set(type, FILL[type](count, randomWords(0x9e3779b9)));
    return filled.get(type) as Words[];
  };
  for (const [name, { from, to, means }] of Object.entries(operations)) {
    const arrays = from.map((type, i) => operandsOf(type)[i] as Words);
    const out = arrayOf(to, count);
    (runs[name] as (...args: unknown[]) => void)(count, ...arrays, out);
    const [a, b] = from.map((type, i) => reader(type, arrays[i] as Words));
    const want = b && a ? (i: number) => means(a(i), b(i)) : (i: number) => means(a!(i));
    expectSame(name, count, reader(to, out), want, (i) => [a?.(i), b?.(i)].join(", "));
  }
}
