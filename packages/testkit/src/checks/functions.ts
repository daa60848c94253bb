/** Element-wise functions on every pair of special values, and on random ones. */
import type { HostArray, RunValues, Scalar, ScalarValue } from "@groupwise/core";
import { type FunctionName, isElementary, SCALARS } from "@groupwise/core/target";
import { toArray } from "../data/arrays.ts";
import { TYPES } from "../data/collectives.ts";
import { mixedData } from "../data/data.ts";
import { COMPOSED, functionNames, functionsOf } from "../data/functions.ts";
import { type Random, randomOf } from "../data/random.ts";
import type { Share } from "../data/share.ts";
import { specials } from "../data/special.ts";
import type { Subject } from "../subject/subject.ts";
import { type Check, withOperands } from "./check.ts";

const AMOUNTS = [0, 1, 2, 5, 8, 16, 23, 31, 32, 33, 47, 63, 64, 65, 0xffffffff];
const POWERS = [0, 1, -1, 10, -10, 24, -24, 127, -126, -149, 300, -300, 1023, -1074, 2098, -2098];
const anyOf = (random: Random, type: Scalar, n: number, list: readonly ScalarValue[]): HostArray =>
  toArray(
    type,
    Array.from({ length: n }, () => random.pick(list)),
  );

/** Numbers close to whole numbers, to halves of those, and to squares, where rounding determines the result. */
function nearWhole(random: Random, type: Scalar, n: number): HostArray {
  const { kind, wrap, whole } = SCALARS[type];
  return toArray(
    type,
    Array.from({ length: n }, () => {
      const number = random.int(-3000, 3000);
      if (kind !== "float") return whole(number);
      const beside = 1 + random.int(-2, 2) * 2 ** -random.pick([10, 11, 23, 24, 52, 53]);
      return wrap(random.pick([number, number / 2, number * number, 1 / number]) * beside);
    }),
  );
}

function valuesOf(type: Scalar, x: HostArray, y: HostArray, z: HostArray): RunValues {
  const random = randomOf("functions", type, x.length);
  const [by, count] = [0, 1].map(() => anyOf(random, "u32", x.length, AMOUNTS)) as [HostArray, HostArray];
  const power = anyOf(random, "i32", x.length, [...POWERS, 0x7fffffff, -0x80000000]);
  return { x, y, z, by, count, power };
}

/** Every pair of special values, random values, and numbers next to whole ones. */
function* sets(type: Scalar, n: number): Generator<RunValues> {
  const random = randomOf("sets of functions", type, n);
  const list = specials(type);
  const pairs = list.flatMap((a) => list.map((b): [ScalarValue, ScalarValue] => [a, b]));
  const side = (at: 0 | 1): HostArray =>
    toArray(
      type,
      pairs.map((pair) => pair[at]),
    );
  yield valuesOf(type, side(0), side(1), anyOf(random, type, pairs.length, list));
  const mixed = (name: string): HostArray => mixedData(type, n, name);
  yield valuesOf(type, mixed("x"), mixed("y"), mixed("z"));
  const [x, y, z] = [0, 1, 2].map(() => nearWhole(random, type, n)) as [HostArray, HostArray, HostArray];
  yield valuesOf(type, x, y, z);
}

/** Fewer items, because the reference computes elementary functions with big integers. */
const COUNTS = {
  exact: { quick: 500, normal: 5000, full: 100_000 },
  elementary: { quick: 100, normal: 250, full: 2000 },
};
async function functions(
  subject: Subject,
  type: Scalar,
  names: readonly FunctionName[],
  counts: keyof typeof COUNTS = "exact",
): Promise<readonly string[]> {
  const pipeline = functionsOf(type, names);
  await subject.compile(pipeline);
  const n = COUNTS[counts][subject.effort];
  const failures: string[] = [];
  const inputs = pipeline.nodes.flatMap((node) => (node.kind === "input" ? [node.name] : []));
  for (const all of sets(type, n)) {
    const values = Object.fromEntries(inputs.map((name) => [name, all[name] as HostArray]));
    failures.push(...withOperands(await subject.compare(pipeline, values), values, type));
  }
  return failures;
}

const ELEMENTARY_TYPES: readonly Scalar[] = ["f16", "f32", "f64"];
const SHARES: Readonly<Partial<Record<Scalar, Share>>> = {
  ...{ i32: "few", f32: "few" },
  ...{ u64: "some", f64: "some", f16: "some" },
};

/** One check per type, and one of those that every target has. */
export function functionChecks(): readonly Check[] {
  const exact = (type: Scalar): FunctionName[] => functionNames(type).filter((op) => !isElementary(op));
  const every = TYPES.filter((type) => exact(type).length > 0).map((type) => ({
    name: `every element-wise function on ${type}`,
    share: SHARES[type],
    pipelines: () => [functionsOf(type, exact(type))],
    run: (subject: Subject) => functions(subject, type, exact(type)),
  }));
  const elementary = ELEMENTARY_TYPES.map((type) => ({
    name: `every elementary function on ${type}`,
    share: "sample" as const,
    pipelines: () => [functionsOf(type, functionNames(type).filter(isElementary))],
    run: (subject: Subject) =>
      functions(subject, type, functionNames(type).filter(isElementary), "elementary"),
  }));
  const composed: Check = {
    name: "functions of every target on f32",
    share: "some",
    pipelines: () => [functionsOf("f32", COMPOSED)],
    run: (subject) => functions(subject, "f32", COMPOSED),
  };
  return [...every, ...elementary, composed];
}
