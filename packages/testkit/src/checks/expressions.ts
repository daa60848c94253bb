/** Element-wise operators on every pair of special values, and on random ones. */
import { type HostArray, type RunValues, SCALARS, type Scalar, type ScalarValue } from "@groupwise/core";
import { toArray } from "../arrays.ts";
import { TYPES } from "../collectives.ts";
import { mixedData } from "../data.ts";
import { expressionsOf } from "../expressions.ts";
import { randomOf } from "../random.ts";
import type { Effort, Subject } from "../subject.ts";
import type { Check } from "./check.ts";

const INF = Number.POSITIVE_INFINITY;
const f32 = Math.fround;
const SPECIAL: Readonly<Record<"int" | "uint" | "float" | "bool", readonly number[]>> = {
  int: [
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    -7,
    10,
    31,
    32,
    0x7fffffff,
    -0x80000000,
    -0x7fffffff,
    0x55555555,
    1 << 24,
    (1 << 24) + 1,
  ],
  uint: [
    0,
    1,
    2,
    3,
    7,
    10,
    31,
    32,
    0x7fffffff,
    0x80000000,
    0x80000001,
    0xffffffff,
    0xfffffffe,
    0x55555555,
    2 ** 24 + 1,
    0xffffff7f,
    0xffffff80,
  ],
  float: [
    0,
    -0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3,
    f32(0.1),
    1e10,
    -1e10,
    INF,
    -INF,
    Number.NaN,
    f32(3.4028234663852886e38),
    2 ** -126,
    2 ** 31,
    -(2 ** 31),
    2147483520,
    -2147483904,
    2 ** 32,
    4294967040,
    2 ** 23 + 1,
    f32(1 / 3),
    f32(16777217.5),
    f32(1e-20),
    -1e20,
  ],
  bool: [0, 1],
};
const SUBNORMAL = [2 ** -149, -(2 ** -149), f32(2 ** -126 - 2 ** -149), 3 * 2 ** -140];

function pairs(type: Scalar, subnormals: boolean): { x: ScalarValue[]; y: ScalarValue[] } {
  const { kind, fromHost } = SCALARS[type];
  const list = [...SPECIAL[kind], ...(kind === "float" && subnormals ? SUBNORMAL : [])].map(fromHost);
  return { x: list.flatMap((a) => list.map(() => a)), y: list.flatMap(() => list) };
}

const shifts = (n: number): HostArray => {
  const random = randomOf("shifts", n);
  return toArray(
    "u32",
    Array.from({ length: n }, () => random.pick([0, 1, 5, 16, 31, 32, 33, 0xffffffff])),
  );
};

function valuesOf(x: HostArray, y: HostArray): RunValues {
  const random = randomOf("which", x.length);
  const which = Uint8Array.from({ length: x.length }, () => random.int(0, 1));
  return { x, y, by: shifts(x.length), which };
}

async function expressions(subject: Subject, type: Scalar): Promise<readonly string[]> {
  const pipeline = expressionsOf(type);
  await subject.compile(pipeline);
  const { flushes } = type === "f32" ? await subject.flushes() : { flushes: false };
  const special = pairs(type, !flushes);
  const n = { quick: 500, normal: 5000, full: 300_000 }[subject.effort];
  const sets = [
    valuesOf(toArray(type, special.x), toArray(type, special.y)),
    valuesOf(mixedData(type, n, "x", !flushes), mixedData(type, n, "y", !flushes)),
  ];
  const failures: string[] = [];
  for (const values of sets) {
    const different = await subject.compare(pipeline, values, { tolerateFlush: flushes });
    for (const [name, text] of Object.entries(different)) {
      const at = Number(/^\[(\d+)\]/.exec(text)?.[1] ?? 0);
      const of = ["x", "y", "by"].map((input) => `${input} ${(values[input] as HostArray)[at]}`).join(", ");
      failures.push(`${name} on ${type} at ${of}: ${text}`);
    }
  }
  return failures;
}

/** One check per type. */
export function expressionChecks(_effort: Effort): readonly Check[] {
  return TYPES.map((type) => ({
    name: `every element-wise operator on ${type}`,
    run: (subject: Subject) => expressions(subject, type),
  }));
}
