import { type Allowed, exactly, fastFunctions, ulp } from "@groupwise/testkit/conformance";
import { runtimeOn } from "./devices.ts";

/** In parts of the result: e^x, within (3 + 2 |x|) ulp. */
const ofExp = (x: number): number => (3 + 2 * Math.abs(x)) * 2 ** -23;
const ofLog = (x: number, want: number): number => (x >= 0.5 && x <= 2 ? 2 ** -21 : 3 * ulp(want));
const ROUNDINGS = 4 * 2 ** -23;
const ofSine = 2 ** -11;
const angle: Allowed = (_op, _x, _y, want) => 4096 * ulp(want);
const hyperbolic: Allowed = (_op, x) => Math.cosh(x) * (ofExp(x) + ROUNDINGS);
const exponential: Allowed = (_op, x, _y, want) => (3 + 2 * Math.abs(x)) * ulp(want);
const logarithm: Allowed = (_op, x, _y, want) => ofLog(x, want);
const sine: Allowed = () => ofSine;
const arc: Allowed = (_op, _x, _y, want) => 6.81e-5 + 4096 * ulp(want) + ROUNDINGS;

/** WGSL, "Accuracy of Concrete Floating Point Expressions"; bounds that are inherited include the roundings between. */
const ALLOWED: Readonly<Record<string, Allowed>> = {
  exp: exponential,
  exp2: exponential,
  log: logarithm,
  log2: logarithm,
  sin: sine,
  cos: sine,
  tan: (_op, x, _y, want) =>
    (ofSine * (1 + Math.abs(want))) / (Math.abs(Math.cos(x)) - ofSine) + 3 * ulp(want),
  asin: arc,
  acos: arc,
  atan: angle,
  atan2: angle,
  sinh: hyperbolic,
  cosh: hyperbolic,
  tanh: (_op, x, _y, want) => 1e-5 + 2 * (ofExp(x) + ROUNDINGS) * Math.max(Math.abs(want), 1),
  rsqrt: (_op, _x, _y, want) => 2 * ulp(want),
  pow: (_op, x, y, want) => {
    const log = Math.log2(x);
    const power = Math.abs(y * log);
    return want * (Math.abs(y) * ofLog(x, log) + ofExp(power) + (power + 4) * 2 ** -23);
  },
};
const allowed: Allowed = (op, x, y, want) => (ALLOWED[op] ?? exactly)(op, x, y, want);
// The others are the exact functions, which the suite has.
fastFunctions("WGSL on lavapipe", () => runtimeOn("lavapipe"), allowed, [...Object.keys(ALLOWED), "sigmoid"]);
