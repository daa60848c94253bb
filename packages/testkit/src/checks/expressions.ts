/** Element-wise operators on every pair of special values, and on random ones. */
import type { HostArray, RunValues, Scalar, ScalarValue } from "@groupwise/core";
import { toArray } from "../data/arrays.ts";
import { TYPES, typesOf } from "../data/collectives.ts";
import { mixedData } from "../data/data.ts";
import { expressionsOf } from "../data/expressions.ts";
import { randomOf } from "../data/random.ts";
import type { Share } from "../data/share.ts";
import { specials } from "../data/special.ts";
import type { Subject } from "../subject/subject.ts";
import { type Check, withOperands } from "./check.ts";

function pairs(type: Scalar): { x: ScalarValue[]; y: ScalarValue[] } {
  const list = specials(type);
  return { x: list.flatMap((a) => list.map(() => a)), y: list.flatMap(() => list) };
}

const shifts = (n: number): HostArray => {
  const random = randomOf("shifts", n);
  return toArray(
    "u32",
    Array.from({ length: n }, () => random.pick([0, 1, 5, 16, 31, 32, 33, 47, 63, 64, 65, 0xffffffff])),
  );
};

function valuesOf(x: HostArray, y: HostArray): RunValues {
  const random = randomOf("which", x.length);
  const which = Uint8Array.from({ length: x.length }, () => random.int(0, 1));
  return { x, y, by: shifts(x.length), which };
}

async function expressions(subject: Subject, type: Scalar): Promise<readonly string[]> {
  const pipeline = expressionsOf(type, typesOf(subject.runtime.capabilities));
  await subject.compile(pipeline);
  const special = pairs(type);
  const n = { quick: 500, normal: 5000, full: 300_000 }[subject.effort];
  const sets = [
    valuesOf(toArray(type, special.x), toArray(type, special.y)),
    valuesOf(mixedData(type, n, "x"), mixedData(type, n, "y")),
  ];
  const failures: string[] = [];
  for (const values of sets)
    failures.push(...withOperands(await subject.compare(pipeline, values), values, type));
  return failures;
}

/** Integers with their conversions, floats, and doubles in words where the device has none. */
const SHARES: Readonly<Partial<Record<Scalar, Share>>> = {
  i32: "few",
  f32: "few",
  f64: "few",
  u32: "sample",
};

/** One check per type. */
export function expressionChecks(): readonly Check[] {
  return TYPES.map((type) => ({
    name: `every element-wise operator on ${type}`,
    share: SHARES[type],
    pipelines: () => [expressionsOf(type, TYPES)],
    run: (subject: Subject) => expressions(subject, type),
  }));
}
