import { type Allowed, exactly, fastFunctions, isFullRun, ulp } from "@groupwise/testkit/conformance";
import { pocl } from "./support.ts";

/** OpenCL C 3.0, 7.4. */
const ULP: Readonly<Record<string, number>> = {
  ...{ exp: 3, exp2: 3, expm1: 3, log: 3, log2: 3, log1p: 2, pow: 16, sin: 4, cos: 4, tan: 5, asin: 4 },
  ...{ asinh: 4, acosh: 4, atanh: 5 },
  ...{ acos: 4, atan: 5, atan2: 6, sinh: 4, cosh: 4, tanh: 5, erf: 16, cbrt: 2, rsqrt: 2, hypot: 4 },
};
const allowed: Allowed = (op, x, y, want) => {
  const most = ULP[op];
  return most === undefined ? exactly(op, x, y, want) : most * ulp(want);
};
const some = ["exp", "sin", "pow"];
fastFunctions("OpenCL on PoCL", () => pocl(), allowed, isFullRun() ? undefined : some);
