/** The guarantee of `fast: true`: results within the bound that a language states, instead of equal bits. */
import type { Runtime } from "@groupwise/core";
import { f32, pipeline } from "@groupwise/dsl";
import { describe, expect } from "vitest";
import { randomOf } from "../data/random.ts";
import { deviceTest, type Probe, sharedRuntime } from "../devices/require-device.ts";

/** The error that a language allows for a function at given operands and their exact result. */
export type Allowed = (op: string, x: number, y: number, want: number) => number;

/** The distance of neighbours near a number. */
export const ulp = (x: number): number =>
  2 ** (Math.max(Math.floor(Math.log2(Math.max(Math.abs(x), 2 ** -126))), -126) - 23);
/** The error of exact functions, and of the host. */
export const exactly: Allowed = (_op, _x, _y, want) => 0.501 * ulp(want);

function erf(x: number): number {
  let term = x;
  let sum = x;
  for (let k = 1; k < 80; k++) {
    term *= (-x * x) / k;
    sum += term / (2 * k + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

type Range = readonly [least: number, greatest: number];
const AROUND: Range = [-3, 3];
const POSITIVE: Range = [0.05, 9];
/** The host's function in double precision, and the operands to test. */
const FUNCTIONS: Readonly<Record<string, readonly [of: (x: number, y: number) => number, range: Range]>> = {
  exp: [Math.exp, [-20, 20]],
  exp2: [(x) => 2 ** x, [-20, 20]],
  expm1: [Math.expm1, AROUND],
  log: [Math.log, POSITIVE],
  log2: [Math.log2, POSITIVE],
  log1p: [Math.log1p, [-0.9, 3]],
  sin: [Math.sin, AROUND],
  cos: [Math.cos, AROUND],
  tan: [Math.tan, [-1.4, 1.4]],
  asin: [Math.asin, [-1, 1]],
  acos: [Math.acos, [-1, 1]],
  atan: [Math.atan, AROUND],
  sinh: [Math.sinh, AROUND],
  cosh: [Math.cosh, AROUND],
  tanh: [Math.tanh, AROUND],
  asinh: [Math.asinh, AROUND],
  acosh: [Math.acosh, [1, 9]],
  atanh: [Math.atanh, [-0.95, 0.95]],
  sigmoid: [(x) => 1 / (1 + Math.exp(-x)), AROUND],
  erf: [erf, AROUND],
  cbrt: [Math.cbrt, AROUND],
  rsqrt: [(x) => 1 / Math.sqrt(x), POSITIVE],
  pow: [(x, y) => x ** y, POSITIVE],
  atan2: [Math.atan2, AROUND],
  hypot: [Math.hypot, AROUND],
};
const TWO = new Set(["pow", "atan2", "hypot"]);
const ITEMS = 1000;

/** The function with the option. */
const fastOf = (op: string) =>
  pipeline("fast", { x: f32, y: f32 }, ({ x, y }) => {
    const methods = x as unknown as Record<string, (...args: unknown[]) => typeof x>;
    return { result: methods[op]?.(...(TWO.has(op) ? [y] : []), { fast: true }) as typeof x };
  });

/** Tests of a runtime. @param ops by default all */
export function fastFunctions(
  title: string,
  probe: Probe<Runtime>,
  allowed: Allowed,
  ops: readonly string[] = Object.keys(FUNCTIONS),
): void {
  describe(`${title}: fast functions are within the bound`, () => {
    const open = sharedRuntime(probe);
    for (const op of ops)
      deviceTest(op, open, async (runtime) => expect(await beyond(runtime, op, allowed)).toEqual([]));
  });
}

/** Results of a fast function whose error is greater than what is allowed, with their operands. */
export async function beyond(runtime: Runtime, op: string, allowed: Allowed): Promise<readonly string[]> {
  const [of, [least, greatest]] = FUNCTIONS[op] as (typeof FUNCTIONS)[string];
  const random = randomOf("fast", op);
  const operands = (): Float32Array =>
    Float32Array.from({ length: ITEMS }, () => least + (greatest - least) * random.unit());
  const [x, y] = [operands(), operands()];
  const program = await runtime.compile(fastOf(op));
  const got = (await program.run({ x, y })).result;
  program.dispose();
  return Array.from(got).flatMap((value, i) => {
    const [a, b] = [x[i] as number, y[i] as number];
    const want = of(a, b);
    const error = Math.abs(value - want);
    return error <= allowed(op, a, b, want) ? [] : [`${op}(${a}, ${b}): ${value}, not ${want}`];
  });
}
