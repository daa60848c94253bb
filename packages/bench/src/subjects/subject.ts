/** Every primitive with random inputs, and what plain loops make of them. */
import type { ArrayType, HostArray, Runtime, Scalar } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { type Random, randomOf } from "@groupwise/testkit";

/** A number as host arrays hold it. */
export type HostNumber = number | bigint;
export type Lists = Readonly<Record<string, readonly HostNumber[]>>;

/** Arrays of plain numbers; `n` items. */
export interface PrimitiveTrial {
  readonly given: Lists;
  /** Parameters of a pipeline, numbers of a primitive. */
  readonly numbers?: Readonly<Record<string, number>>;
  readonly want: Lists;
  /** By output: how far a float may be off, where the order of sums decides. */
  readonly bound?: Readonly<Record<string, readonly number[]>>;
}

/** One primitive. */
export interface PrimitiveSubject {
  readonly name: string;
  readonly what: unknown;
  /** Element types of the arrays, by name. */
  readonly types: Readonly<Record<string, ArrayType>>;
  trial(n: number, random: Random): PrimitiveTrial;
}

export const arrayOf = (type: ArrayType, list: readonly HostNumber[]): HostArray =>
  (arraySpec(type).array as unknown as { from(list: readonly HostNumber[]): HostArray }).from(list);

/** Values of every type, as host arrays hold them: none is NaN, subnormal or -0. */
export const POOL: Readonly<Record<Scalar, readonly HostNumber[]>> = {
  i32: [-2147483648, 2147483647, 0, -1, 7],
  u32: [0, 4294967295, 1, 2147483648, 7],
  i64: [-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n, 2n ** 32n],
  u64: [0n, 2n ** 64n - 1n, 1n, 2n ** 32n, 2n ** 63n],
  f16: [0x3c00, 0xfc00, 0x0400, 0x7bff, 0xc200],
  f32: [1.5, Number.NEGATIVE_INFINITY, 3.4028234663852886e38, Math.fround(0.1), -2],
  f64: [1.5, Number.POSITIVE_INFINITY, 1.7976931348623157e308, 0.1, -2],
  bool: [0, 1],
};

export const list = <T>(n: number, make: (i: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => make(i));

/** Values that stay the same for a while: not at all, some, or long. */
export function runsOf(type: Scalar, n: number, random: Random): HostNumber[] {
  const change = random.pick([1, 0.5, 0.05, 0.002]);
  let value = random.pick(POOL[type]);
  return list(n, () => {
    if (random.chance(change)) value = random.pick(POOL[type]);
    return value;
  });
}

/** True at the first item of each run. */
export const headsOf = (keys: readonly HostNumber[]): boolean[] =>
  keys.map((key, i) => i === 0 || key !== keys[i - 1]);

/** Sizes of segments that add up to `n`: many are 0 and 1. */
export function sizesOf(n: number, random: Random): number[] {
  const sizes: number[] = [];
  const most = random.pick([1, 3, 40, 2000]);
  for (let left = n; left > 0; ) {
    const size = Math.min(left, random.chance(0.3) ? 0 : random.chance(0.3) ? 1 : random.int(0, most));
    sizes.push(size);
    left -= size;
  }
  while (random.chance(0.4)) sizes.push(0);
  return sizes;
}

/** Where segments begin, and where the last ends. */
export function offsetsOf(sizes: readonly number[]): number[] {
  const offsets = [0];
  for (const size of sizes) offsets.push((offsets.at(-1) as number) + size);
  return offsets;
}

/** Records as plain lists of fields; a monoid that shares nothing with the tables of operators. */
export interface PlainFold {
  readonly fields: readonly { readonly name: string; readonly type: Scalar }[];
  readonly identity: readonly HostNumber[];
  combine(a: readonly HostNumber[], b: readonly HostNumber[]): readonly HostNumber[];
  draw(random: Random, i: number): readonly HostNumber[];
  /** Unit of rounding, where sums round: bounds are for sums. */
  readonly unit?: number;
}

const single = (
  type: Scalar,
  identity: HostNumber,
  combine: (a: never, b: never) => HostNumber,
  draw: (random: Random) => HostNumber,
  unit?: number,
): PlainFold => ({
  fields: [{ name: "", type }],
  identity: [identity],
  combine: ([a], [b]) => [combine(a as never, b as never)],
  draw: (random) => [draw(random)],
  ...(unit !== undefined && { unit }),
});
const u32 = (random: Random): number => random.bits();
const big = (random: Random): bigint => (BigInt(random.bits()) << 32n) | BigInt(random.bits());
const unit = (random: Random): number => random.unit() * 2 - 1;
const i32 = (random: Random): number => random.bits() | 0;
const i64 = (random: Random): bigint => BigInt.asIntN(64, big(random));
const f32 = (random: Random): number => Math.fround(unit(random));
const bit = (random: Random): number => random.int(0, 1);

const fieldsOf = (types: Readonly<Record<string, Scalar>>): PlainFold["fields"] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));

type FoldName =
  | "addU32"
  | "addI32"
  | "mulI64"
  | "minU64"
  | "maxF64"
  | "minF32"
  | "xorBool"
  | "addF32"
  | "addF64"
  | "affineU32"
  | "argmaxI32";
/** The built-in ones and those of records that the tests use. */
export const FOLDS: Readonly<Record<FoldName, PlainFold>> = {
  addU32: single("u32", 0, (a: number, b: number) => (a + b) >>> 0, u32),
  addI32: single("i32", 0, (a: number, b: number) => (a + b) | 0, i32),
  mulI64: single("i64", 1n, (a: bigint, b: bigint) => BigInt.asIntN(64, a * b), i64),
  minU64: single("u64", 2n ** 64n - 1n, (a: bigint, b: bigint) => (a < b ? a : b), big),
  maxF64: single("f64", Number.NEGATIVE_INFINITY, (a: number, b: number) => (a > b ? a : b), unit),
  minF32: single("f32", Number.POSITIVE_INFINITY, (a: number, b: number) => (a < b ? a : b), f32),
  xorBool: single("bool", 0, (a: number, b: number) => (a === b ? 0 : 1), bit),
  addF32: single("f32", 0, (a: number, b: number) => a + b, f32, 2 ** -24),
  addF64: single("f64", 0, (a: number, b: number) => a + b, unit, 2 ** -53),
  /** y = a x + b, the earlier first, modulo 2^32. */
  affineU32: {
    fields: fieldsOf({ _a: "u32", _b: "u32" }),
    identity: [1, 0],
    combine: ([a, b], [c, d]) => {
      const [p, q, r, s] = [a, b, c, d] as number[] as [number, number, number, number];
      return [Math.imul(r, p) >>> 0, (Math.imul(r, q) + s) >>> 0];
    },
    draw: (random) => [random.bits() | 1, random.bits()].map((x) => x >>> 0),
  },
  /** The greatest, at the lowest index. */
  argmaxI32: {
    fields: fieldsOf({ _value: "i32", _index: "u32" }),
    identity: [-2147483648, 4294967295],
    combine: (a, b) =>
      Number(b[0]) > Number(a[0]) || (b[0] === a[0] && Number(b[1]) < Number(a[1])) ? b : a,
    draw: (random, i) => [random.int(-3, 3), i],
  },
};

/** The arrays of records, and their types, by name. */
export const columns = (
  { fields }: PlainFold,
  prefix: string,
  records: readonly (readonly HostNumber[])[],
): Lists =>
  Object.fromEntries(
    fields.map(({ name }, f) => [`${prefix}${name}`, records.map((record) => record[f] as HostNumber)]),
  );
export const columnTypes = ({ fields }: PlainFold, ...prefixes: readonly string[]): Record<string, Scalar> =>
  Object.fromEntries(
    prefixes.flatMap((prefix) => fields.map(({ name, type }) => [`${prefix}${name}`, type])),
  );

/** Prefixes of each segment, begun anew where `starts` is true; and a bound for sums that round. */
export function scanned(
  fold: PlainFold,
  records: readonly (readonly HostNumber[])[],
  starts: (i: number) => boolean,
): {
  readonly before: (readonly HostNumber[])[];
  readonly upTo: (readonly HostNumber[])[];
  readonly bound: number[];
} {
  const [before, upTo, bound]: [(readonly HostNumber[])[], (readonly HostNumber[])[], number[]] = [
    [],
    [],
    [],
  ];
  let [sum, size, items] = [fold.identity as readonly HostNumber[], 0, 0];
  records.forEach((record, i) => {
    if (i === 0 || starts(i)) [sum, size, items] = [fold.identity, 0, 0];
    before.push(sum);
    sum = fold.combine(sum, record);
    upTo.push(sum);
    size += Math.abs(Number(record[0]));
    items += 1;
    // However sums are bracketed: n - 1 roundings of at most everything.
    bound.push((fold.unit ?? 0) * items * size * 1.01);
  });
  return { before, upTo, bound };
}

/** Keeps what a subject runs compiled until it is disposed: each run alone would compile it anew. */
export async function compiledOn(
  runtime: Runtime,
  { what }: Pick<PrimitiveSubject, "what">,
): Promise<{ dispose(): void }> {
  // biome-ignore lint/suspicious/noExplicitAny: of any pipeline or primitive
  const one = what as any;
  return "prepare" in one ? one.prepare(runtime) : runtime.compile(one);
}

/** Runs a pipeline or a primitive on arrays of the host. */
export async function run(
  runtime: Runtime,
  { what, types }: PrimitiveSubject,
  { given, numbers = {} }: PrimitiveTrial,
): Promise<Readonly<Record<string, HostArray>>> {
  const arrays = Object.fromEntries(
    Object.entries(given).map(([name, values]) => [name, arrayOf(types[name] as ArrayType, values)]),
  );
  // biome-ignore lint/suspicious/noExplicitAny: of any pipeline or primitive
  const one = what as any;
  if ("prepare" in one) return one.runOn(runtime, arrays, numbers);
  const executable = await runtime.compile(one);
  try {
    return (await executable.run({ ...arrays, ...numbers })) as Readonly<Record<string, HostArray>>;
  } finally {
    executable.dispose();
  }
}

/** Where outputs differ from what plain loops gave; empty where they agree. */
export function wrong(
  subject: PrimitiveSubject,
  trial: PrimitiveTrial,
  got: Readonly<Record<string, HostArray>>,
): string[] {
  const names = new Set([...Object.keys(trial.want), ...Object.keys(got)]);
  return [...names].flatMap((name) => {
    const [want, have] = [trial.want[name], got[name]];
    if (!want || !have) return [`${name}: ${want ? "is missing" : "nobody asked for it"}`];
    if (have.length !== want.length) return [`${name}: ${have.length} elements, not ${want.length}`];
    const expected = arrayOf(subject.types[name] as ArrayType, want);
    const bound = trial.bound?.[name];
    const at = expected.findIndex((value: HostNumber, i: number) =>
      bound
        ? !(Math.abs(Number(have[i]) - Number(want[i])) <= (bound[i] as number))
        : !Object.is(value, have[i]),
    );
    return at < 0 ? [] : [`${name}[${at}] is ${have[at]}, not ${want[at]} (of ${want.length})`];
  });
}

export const trialOf = (subject: PrimitiveSubject, n: number, seed: string | number): PrimitiveTrial =>
  subject.trial(n, randomOf(subject.name, n, seed));
