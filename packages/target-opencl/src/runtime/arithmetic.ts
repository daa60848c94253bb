/**
 * Functions and operators that emitted files take from OpenCL C because it promises the exact result. A device is tested
 * for those that a file uses, once, with operands whose results are next to the middle of two floats.
 */
import type { Artifact, Capabilities } from "@groupwise/core";
import { type ArraySpec, arraySpec, BINARY, FUNCTION_ROWS } from "@groupwise/core/target";
import { buildProgram } from "../device/build.ts";
import { CL } from "../device/constants.ts";
import { Pool } from "../device/owned.ts";
import type { Session } from "./program.ts";

/** Operands of one operation. */
export type Operands = readonly [number, number, number];
/** What a device computes for operands. */
export type Compute = (promise: Promised, operands: readonly Operands[]) => Promise<readonly number[]>;

/** What the language promises. */
export interface Promised {
  readonly name: string;
  readonly type: "f32" | "f64";
  /** In OpenCL C, of `a`, `b` and `c`. */
  readonly text: string;
  readonly exact: (operands: Operands) => number;
  readonly operands: () => readonly Operands[];
  readonly isUsed: (artifact: Artifact, text: string) => boolean;
  /** The capabilities with the exact expansion. */
  readonly without: (capabilities: Capabilities) => Capabilities;
}

const COUNT = 128;
/** A linear congruential generator (Numerical Recipes), of 32 bits. */
function* words(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}
/** 1 / b modulo 2^25, by Newton's method. */
function inverse(b: bigint): bigint {
  let y = b;
  for (let i = 0; i < 5; i++) y = BigInt.asUintN(25, y * (2n - b * y));
  return y;
}
/** a / b is m / 2^25 - r / (2^25 b) for an odd m of 25 digits: next to the middle of two floats. */
function quotients(): readonly Operands[] {
  const found: Operands[] = [];
  const random = words(1);
  while (found.length < COUNT) {
    const b = BigInt((random.next().value >>> 8) | 0x800001);
    const r = BigInt((random.next().value >>> 29) * 2 - 7);
    const m = BigInt.asUintN(25, r * inverse(b));
    const a = Number((m * b - r) >> 25n);
    if (m >= 1n << 24n && a > 0 && a < 2 ** 24) found.push([a, Number(b), 0]);
  }
  return found;
}
/** Rests of rounded products, and sums that a tiny third operand moves from the middle of two values. */
function fused(type: "f32" | "f64"): readonly Operands[] {
  const random = words(2);
  const digits = type === "f32" ? 24 : 53;
  const wrap = (x: number): number => (type === "f32" ? Math.fround(x) : x);
  const factor = (): number => wrap(1 + random.next().value * 2 ** -32 + random.next().value * 2 ** -64);
  const rests = Array.from({ length: COUNT }, (): Operands => {
    const [a, b] = [factor(), factor()];
    return [a, b, -wrap(a * b)];
  });
  const half = Math.floor(digits / 2);
  // (1 + 2^-h) (1 + 2^-k), h + k the number of digits, ends with half a unit.
  const [a, b] = [1 + 2 ** -half, 1 + 2 ** -(digits - half)];
  const ties = Array.from({ length: 32 }, (_, i): Operands => {
    const tiny = 2 ** -(digits + 8 + i);
    return [a, i % 4 < 2 ? b : -b, i % 2 ? tiny : -tiny];
  });
  return [...rests, ...ties];
}

const fma = (type: "f32" | "f64"): Promised => ({
  name: `fma of ${type}`,
  type,
  text: "fma(a, b, c)",
  exact: (operands) => FUNCTION_ROWS.fma.apply(type, operands) as number,
  operands: () => fused(type),
  isUsed: (_artifact, text) => /\bfma\(/.test(text) && (type === "f32" || /\bdouble\b/.test(text)),
  without: (capabilities) => ({
    ...capabilities,
    own: (capabilities.own ?? []).filter((name) => name !== `fma_of_${type}`),
  }),
});
/** Everything that a device may break without an error. */
export const PROMISED: readonly Promised[] = [
  {
    name: "division of f32",
    type: "f32",
    text: "a / b",
    exact: ([a, b]) => BINARY.div.apply("f32", a, b) as number,
    operands: quotients,
    isUsed: ({ manifest }) => manifest.requires.includes("correctly-rounded-divide"),
    without: (capabilities) => ({ ...capabilities, expand: [...capabilities.expand, "float-divide"] }),
  },
  fma("f32"),
  fma("f64"),
];

/** Whether a device breaks a promise. */
export async function isBroken(promise: Promised, compute: Compute): Promise<boolean> {
  const operands = promise.operands();
  const found = await compute(promise, operands);
  return operands.some((of, i) => !Object.is(found[i], promise.exact(of)));
}

/** The results of the tests of one device. */
export class Arithmetic {
  private readonly compute: Compute;
  private readonly known = new Map<Promised, Promise<boolean>>();

  constructor(compute: Compute) {
    this.compute = compute;
  }

  /** The promises that a file relies on and the device breaks. */
  async broken(artifact: Artifact, text: string): Promise<readonly Promised[]> {
    const used = PROMISED.filter((promise) => promise.isUsed(artifact, text));
    const answers = await Promise.all(used.map((promise) => this.test(promise)));
    return used.filter((_, i) => answers[i]);
  }

  private test(promise: Promised): Promise<boolean> {
    const answer = this.known.get(promise) ?? isBroken(promise, this.compute);
    this.known.set(promise, answer);
    // A test that failed to run says nothing about the device.
    answer.catch(() => this.known.delete(promise));
    return answer;
  }
}

const TYPES = { f32: "float", f64: "double" } as const;
const kernelOf = ({ type, text }: Promised): string => `
#pragma OPENCL FP_CONTRACT OFF
${type === "f64" ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable" : ""}
__kernel void probe(__global ${TYPES[type]}* items) {
  __global ${TYPES[type]}* item = items + 4 * get_global_id(0);
  const ${TYPES[type]} a = item[0], b = item[1], c = item[2];
  item[3] = ${text};
}
`;

/** Computes on a device, each operation as a work-item of its own. */
export const computeOn =
  (session: Session): Compute =>
  async (promise, operands) => {
    const { cl, context, queue, info } = session;
    const pool = new Pool(cl);
    try {
      const divide = info.floats.correctlyRoundedDivide ? " -cl-fp32-correctly-rounded-divide-sqrt" : "";
      const options = `-cl-std=CL1.2${divide}`;
      const { program, status } = await buildProgram(session, pool, kernelOf(promise), options);
      // The program that is to run reports why nothing is built.
      if (status !== 0) return operands.map(promise.exact);
      const kernel = pool.add("kernel", cl.make("clCreateKernel", program, "probe"));
      const { array }: ArraySpec = arraySpec(promise.type);
      const items = new array(4 * operands.length) as Float32Array | Float64Array;
      for (const [i, of] of operands.entries()) items.set(of, 4 * i);
      const bytes = items.byteLength;
      const buffer = pool.add("buffer", cl.make("clCreateBuffer", context, CL.MEM_READ_WRITE, bytes, null));
      cl.call("clEnqueueWriteBuffer", queue, buffer, CL.TRUE, 0, bytes, items, 0, null, null);
      const pointer = new BigUint64Array([buffer]);
      cl.call("clSetKernelArg", kernel, 0, pointer.byteLength, pointer);
      const global = new BigUint64Array([BigInt(operands.length)]);
      cl.call("clEnqueueNDRangeKernel", queue, kernel, 1, null, global, null, 0, null, null);
      cl.call("clEnqueueReadBuffer", queue, buffer, CL.TRUE, 0, bytes, items, 0, null, null);
      return operands.map((_, i) => items[4 * i + 3] as number);
    } finally {
      pool.release();
    }
  };
