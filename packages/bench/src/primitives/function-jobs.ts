/**
 * Elementary functions, exact and fast, and a softmax of the whole range; compared with `copy`, they show the cost of
 * arithmetic.
 */
import { type F32Value, f32, type PipelineDefinition, pipeline } from "@groupwise/dsl";
import { all, hash, hashed, type Job, options, type Read } from "./job.ts";

/** Multiples of 2^-20 above 0, up to 16. */
const operandAt = (i: number): number => ((hash(i) >>> 8) + 1) * 2 ** -20;
const operands = {
  source: pipeline(
    "make-operands",
    {},
    (_, { index }) => ({
      x: hashed(index())
        .shr(8)
        .add(1)
        .toF32()
        .mul(f32(2 ** -20)),
    }),
    options,
  ),
  items: all,
};
/** Error of an exact function relative to a double's: half of the last place, which is at most 2^-24 of the result. */
const ROUNDING = 1.01 * 2 ** -24;
/** WGSL's bounds at such operands: (3 + 2 x) ulp of exp; 3 ulp of log, and 2^-21 near 1. */
const FAST = { exp: 35 * 2 ** -23, log: 3 * 2 ** -23 } as const;
const NEAR_ONE = 2 ** -21;

/** Describes the first result that differs from `want` by more than `most`. */
async function within(
  n: number,
  read: Read,
  want: (x: number) => number,
  most: (want: number) => number,
): Promise<string | undefined> {
  const got = await read("y");
  for (let i = 0; i < n; i++) {
    const wanted = want(operandAt(i));
    const isNear = Math.abs((got[i] as number) - wanted) <= most(wanted);
    if (!isNear) return `y[${i}] is ${got[i]}, not ${wanted}`;
  }
  return undefined;
}

const job = (
  name: string,
  body: (x: F32Value) => F32Value,
  check: Job["check"],
): Job & { readonly what: PipelineDefinition } => {
  const id = name.replaceAll(/[^a-z]+/g, "-");
  const what = pipeline(id, { x: f32 }, ({ x }) => ({ y: body(x) }), options);
  return {
    name: `math: ${name}`,
    what: what as never,
    inputs: [operands],
    outputs: (n) => ({ y: n }),
    check,
  };
};

function softmaxOf(x: F32Value, fast: boolean): F32Value {
  const power = x.sub(x.reduce("max")).exp({ fast });
  return power.div(power.reduce("add"));
}

/** Sums of 2^28 positive items and quotients of fast powers are within it. */
const SHARE = 2e-5;
async function checkShares(n: number, read: Read): Promise<string | undefined> {
  let most = 0;
  for (let i = 0; i < n; i++) most = Math.max(most, operandAt(i));
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.exp(operandAt(i) - most);
  return within(
    n,
    read,
    (x) => Math.exp(x - most) / sum,
    (want) => SHARE * want,
  );
}

const WAYS = [
  ["", false],
  [", fast", true],
] as const;

export const FUNCTION_JOBS: readonly Job[] = WAYS.flatMap(([suffix, fast]) => [
  ...(["exp", "log"] as const).map((op) =>
    job(
      `${op}${suffix}`,
      (x) => x[op]({ fast }),
      (n, read) =>
        within(n, read, Math[op], (want) =>
          fast ? Math.max(FAST[op] * Math.abs(want), NEAR_ONE) : ROUNDING * Math.abs(want),
        ),
    ),
  ),
  job(`softmax${suffix}`, (x) => softmaxOf(x, fast), checkShares),
]);
