/**
 * The bodies of functions, and JavaScript's own in their place, against the table and against the host's arithmetic;
 * the table itself is tested by exact arithmetic in `@groupwise/core`.
 */
import type { Capabilities, HostArray, Scalar, ScalarValue } from "@groupwise/core";
import { FUNCTION_ROWS, type FunctionName, isElementary, resolved, SCALARS } from "@groupwise/core/target";
import { doubles, functionNames, functionsOf, randomOf, toArray, toValues } from "@groupwise/testkit";
import { describe, expect, it } from "vitest";
import { js } from "../src/index.ts";
import { jsRuntime } from "../src/runtime.ts";

const { own: _own, ...withoutOwn } = js.capabilities;
// The functions of JavaScript are not those of two words.
const inWords: Capabilities = {
  ...js.capabilities,
  scalars: { ...js.capabilities.scalars, f64: "emulated" },
};
const guarded: Capabilities = {
  ...withoutOwn,
  expand: [
    ...(["float-compare", "float-constants", "float-min-max", "float-divide"] as const),
    ...(["guard-rounding", "int-divide", "popcount"] as const),
  ],
};
const WAYS: Readonly<Record<string, Capabilities>> = {
  "own functions": js.capabilities,
  bodies: withoutOwn,
  "bodies in words": inWords,
  "bodies of an implementation that promises little": guarded,
};

type Inputs = Readonly<Record<string, HostArray>>;
/** What a pipeline of functions gives, by function. */
async function given(
  capabilities: Capabilities,
  type: Scalar,
  names: readonly FunctionName[],
  inputs: Inputs,
): Promise<Readonly<Record<string, readonly ScalarValue[]>>> {
  const pipeline = functionsOf(type, names);
  const taken = pipeline.nodes.flatMap((node) => (node.kind === "input" ? [node.name] : []));
  const values = Object.fromEntries(taken.map((name) => [name, inputs[name] as HostArray]));
  const outputs = await (await jsRuntime({ capabilities }).compile(pipeline)).run(values);
  return Object.fromEntries(
    names.map((op) => [
      op,
      toValues(resolved(FUNCTION_ROWS[op].result, type), outputs[`${op}_out`] as HostArray),
    ]),
  );
}

const isUnary = (op: FunctionName): boolean => FUNCTION_ROWS[op].rest.length === 0;
function expectEqual(
  op: string,
  got: readonly ScalarValue[],
  want: (i: number) => ScalarValue,
  operands: (i: number) => readonly ScalarValue[],
): void {
  for (let i = 0; i < got.length; i++)
    if (!Object.is(got[i], want(i))) expect.fail(`${op}(${operands(i)}) is ${got[i]}, not ${want(i)}`);
}

const COUNT = process.env.GROUPWISE_FULL ? 2_000_000 : 30_000;
const HOST: Readonly<Partial<Record<FunctionName, (x: number, y: number) => ScalarValue>>> = {
  floor: (x) => Math.floor(x),
  ceil: (x) => Math.ceil(x),
  trunc: (x) => Math.trunc(x),
  sign: (x) => Math.sign(x),
  isNaN: (x) => Number.isNaN(x),
  isFinite: (x) => Number.isFinite(x),
  sqrt: (x) => Math.sqrt(x),
  fmod: (x, y) => x % y,
};
const HOST_NAMES = Object.keys(HOST) as FunctionName[];

function singles(count: number): [Float32Array, Float32Array] {
  const random = randomOf("singles of functions");
  const x = Uint32Array.from({ length: count }, random.bits);
  // Half of the divisors have nearly the exponent of what they divide.
  const y = x.map((bits, i) => (i % 2 ? random.bits() : (bits & 0x7f800000) ^ (random.bits() & 0x83ffffff)));
  return [new Float32Array(x.buffer), new Float32Array(y.buffer)];
}

/** Numbers around the product of two others, and what it rounds to. */
function addends(x: Float64Array, y: Float64Array, round: (x: number) => number): Float64Array {
  const random = randomOf("addends");
  return x.map((a, i) => {
    const product = round(a * (y[i] as number));
    const beside = 1 + random.int(-2, 2) * 2 ** -random.int(20, 54);
    return round(random.pick([-product, -product * beside, product * 2 ** random.int(-60, 60), a]));
  });
}

/** Every half, and by function what the table has for it: once for all ways. */
const HALVES = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
const OF_HALVES = functionNames("f16").filter((op) => isUnary(op) && !isElementary(op));
const halves = toValues("f16", HALVES);
const TABLE = new Map(OF_HALVES.map((op) => [op, halves.map((x) => FUNCTION_ROWS[op].apply("f16", [x]))]));

describe.each(Object.keys(WAYS))("functions by %s", (way) => {
  const capabilities = WAYS[way] as Capabilities;

  it("equal the table for every half", async () => {
    const got = await given(capabilities, "f16", OF_HALVES, { x: HALVES });
    for (const [op, want] of TABLE) {
      const at = (i: number): ScalarValue[] => [halves[i] as ScalarValue];
      expectEqual(op, got[op] ?? [], (i) => want[i] as ScalarValue, at);
    }
  });

  it(`are those of the host for ${COUNT} singles`, async () => {
    const [x, y] = singles(COUNT);
    const got = await given(capabilities, "f32", HOST_NAMES, { x, y });
    for (const op of HOST_NAMES) {
      const want = (i: number): ScalarValue => {
        const value = HOST[op]?.(x[i] as number, y[i] as number) as ScalarValue;
        return typeof value === "number" ? Math.fround(value) : value;
      };
      expectEqual(op, got[op] ?? [], want, (i) => [x[i] as number, y[i] as number]);
    }
  });

  it("are those of the host for hard and random doubles", async () => {
    const random = randomOf("doubles of functions");
    const [x, y] = doubles(COUNT / 4, random.bits).map((words) => new Float64Array(words.buffer)) as [
      Float64Array,
      Float64Array,
    ];
    const got = await given(capabilities, "f64", HOST_NAMES, { x, y });
    for (const op of HOST_NAMES) {
      const want = (i: number): ScalarValue => HOST[op]?.(x[i] as number, y[i] as number) as ScalarValue;
      expectEqual(op, got[op] ?? [], want, (i) => [x[i] as number, y[i] as number]);
    }
  });

  it.each(["f16", "f32", "f64"] as const)("fma of %s equals the table if sums cancel", async (type) => {
    const random = randomOf("products", type);
    const round = (x: number): number => SCALARS[type].wrap(x) as number;
    const reach = { f16: 8, f32: 70, f64: 520 }[type];
    const some = (): Float64Array =>
      Float64Array.from({ length: COUNT / 20 }, () =>
        round((random.unit() * 2 - 1) * 2 ** random.int(-reach, reach)),
      );
    const [x, y] = [some(), some()];
    const z = addends(x, y, round);
    const inputs = Object.fromEntries(
      Object.entries({ x, y, z }).map(([name, list]) => [name, toArray(type, [...list])]),
    );
    const got = await given(capabilities, type, ["fma"], inputs);
    const at = (i: number): number[] => [x[i], y[i], z[i]] as number[];
    expectEqual("fma", got.fma ?? [], (i) => FUNCTION_ROWS.fma.apply(type, at(i)), at);
  });

  it.each(["f16", "f32", "f64"] as const)(
    "fma of %s rounds a tie by an addend at any distance",
    async (type) => {
      // The product is halfway between two floats.
      const [a, b] = { f16: [5, 6], f32: [12, 12], f64: [26, 27] }[type] as [number, number];
      const least = { f16: 24, f32: 149, f64: 1074 }[type];
      const z = Float64Array.from({ length: 2 * least }, (_, i) => (i % 2 ? -1 : 1) * 2 ** -(1 + (i >> 1)));
      const [x, y] = [z.map(() => 1 + 2 ** -a), z.map(() => 1 + 2 ** -b)];
      const inputs = Object.fromEntries(
        Object.entries({ x, y, z }).map(([name, list]) => [name, toArray(type, [...list])]),
      );
      const got = await given(capabilities, type, ["fma"], inputs);
      const at = (i: number): number[] => [x[i], y[i], z[i]] as number[];
      expectEqual("fma", got.fma ?? [], (i) => FUNCTION_ROWS.fma.apply(type, at(i)), at);
    },
  );
});
