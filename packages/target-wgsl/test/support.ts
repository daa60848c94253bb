import {
  type Checked,
  check,
  type HostArray,
  type Pipeline,
  reference,
  type RunOutputs,
  SCALARS,
  type Scalar,
  type ScalarValue,
} from "@groupwise/core";

/** One value per element as text: bits of floats (all NaN alike), so that -0 and +0 differ. */
export function bitsOf(type: Scalar, values: Iterable<ScalarValue | bigint>): string[] {
  return [...values].map((value) => {
    if (type !== "f32") return String(Number(value));
    return Object.is(value, -0) ? "-0" : String(Math.fround(Number(value)));
  });
}

export type Data = Readonly<Record<string, readonly ScalarValue[]>>;
export type Params = Readonly<Record<string, ScalarValue>>;

export function hostArrays(checked: Checked, data: Data): Record<string, HostArray> {
  return Object.fromEntries(
    checked.inputs.map(({ name, type }) => {
      const { array, toHost } = SCALARS[type];
      const values = data[name] ?? [];
      const host = new array(values.length);
      values.forEach((value, i) => {
        host[i] = toHost(value) as never;
      });
      return [name, host];
    }),
  );
}

/** What the reference gives, as bits by output. */
export function expected(ir: Pipeline, n: number, data: Data, params: Params = {}): Record<string, string[]> {
  const checked = check(ir);
  const outputs = reference(checked, { n, inputs: data, params });
  return bitsByName(checked, outputs);
}

export function bitsByName(
  checked: Checked,
  outputs: Readonly<Record<string, Iterable<ScalarValue | bigint>>> | RunOutputs,
): Record<string, string[]> {
  return Object.fromEntries(
    checked.sinks.map(({ id, name }) => [
      name,
      bitsOf(checked.types[id] as Scalar, outputs[name] as Iterable<ScalarValue>),
    ]),
  );
}

/** Numbers that are the same on every run. */
export function random(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

const SPECIAL: Readonly<Record<string, readonly number[]>> = {
  f32: [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1.5, -2.25, 3.4028234663852886e38],
  i32: [0, 1, -1, 0x7fffffff, -0x80000000, 12345],
  u32: [0, 1, 0xffffffff, 0x80000000, 7],
};

/** n values of a type; `special` mixes in infinities, NaN, zeros and extremes. */
export function values(type: Scalar, n: number, seed: number, special = false): ScalarValue[] {
  const next = random(seed * 7919 + n + 1);
  return Array.from({ length: n }, (): ScalarValue => {
    const bits = next();
    if (type === "bool") return bits % 3 === 0;
    const list = SPECIAL[type] as readonly number[];
    if (special && bits % 5 === 0) return list[(bits >>> 8) % list.length] as number;
    if (type === "f32") return Math.fround(((bits >>> 8) / 2 ** 20 - 7) * 1.1);
    return SCALARS[type].wrap(bits % 3 === 0 ? bits % 4 : bits);
  });
}
