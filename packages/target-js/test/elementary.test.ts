/** The bodies of elementary functions against the table, in words of 32 bits, and by an implementation that promises little. */
import type { Capabilities, ScalarValue } from "@groupwise/core";
import { FUNCTION_ROWS, type FunctionName, isElementary, SCALARS } from "@groupwise/core/target";
import { functionNames, functionsOf, type Random, randomOf, toArray, toValues } from "@groupwise/testkit";
import { describe, expect, it } from "vitest";
import { js } from "../src/index.ts";
import { jsRuntime } from "../src/runtime.ts";

const guarded: Capabilities = {
  ...js.capabilities,
  expand: ["float-compare", "float-constants", "float-min-max", "guard-rounding", "int-divide"],
};
const WAYS: Readonly<Record<string, Capabilities>> = {
  JavaScript: js.capabilities,
  "an implementation that promises little": guarded,
  "an implementation without doubles": {
    ...js.capabilities,
    scalars: { ...js.capabilities.scalars, f64: "emulated" },
  },
};
type Float = "f16" | "f32" | "f64";
const COUNT = process.env.GROUPWISE_FULL ? 100_000 : 600;
const HARD = [
  ...[0, 1, -1, 0.5, 2, 3, 88.7, -87.3],
  // Next to a tie of exp, which its first step leaves to the exact function.
  ...[2.0265066623687744, -14.567090034484863, 25.496328353881836, 68.28939056396484],
  ...[-103.9, 127, 1e-40, 355, 1e10, 3e38, -3e38, NaN, 1 / 0, -1 / 0],
];

/** Nearest to multiples of pi / 2 of all doubles, beside multiples whose digits carry into the upper word, where a body takes another way, and ends. */
const HARD_DOUBLES = [
  ...[5279, 9658, 12693].map((quarters) => quarters * (Math.PI / 2)),
  ...[6381956970095103 * 2 ** 797, 6381956970095103 * 2 ** 798, 5916243447979695 * 2 ** 79, Math.PI / 4],
  ...[Math.PI / 2, 1 - 2 ** -53, 2 ** -53 - 1, 1 + 2 ** -52, Math.SQRT1_2, 0.198912367379658],
  ...[2047.71, -2047.84],
  ...[Number.MAX_VALUE, 2 ** -1022, 5e-324, -1.5e-323],
];

/** Pairs whose powers, and the exponents of these, are beyond those of doubles. */
const FAR_POWERS = [
  [9.6, -522],
  [83873.3, 118],
  [83873.3, -118],
  [2 ** (2047.75 / 2048), 2048],
  [2 ** (2047.75 / 512), -512],
  [Math.SQRT2, 3000],
  [0.3, 640],
  [-3, 701],
] as const;

/** Any bits, numbers of the middle, whole ones, and a tie that decides. */
function single(random: Random): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, random.bits());
  const any = view.getFloat32(0);
  return random.pick([any, (random.unit() - 0.5) * 2 ** random.int(-14, 9), random.int(-30, 30)]);
}
/** A double whose cube root or inverse root is almost halfway between two doubles. */
function besideMiddle(random: Random): number {
  const middle = (BigInt(2 ** 21 + random.int(0, 2 ** 21 - 1)) << 32n) | BigInt(random.bits() >>> 0) | 1n;
  const power = middle ** 3n;
  const inverse = (1n << 320n) / middle ** 2n;
  return Number(random.pick([power, inverse])) * 2 ** -180 * 2 ** random.int(-800, 800);
}
/** The same of 64 bits, and powers that a single does not hold. */
function double(random: Random): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, random.bits());
  view.setUint32(4, random.bits());
  const part = view.getUint32(0) / 2 ** 32 + view.getUint32(4) / 2 ** 64;
  const sized = (part - 0.5) * 2 ** random.int(-30, 12);
  const quarters = random.int(1, 2 ** 20) * (Math.PI / 2);
  const whole = random.int(-1100, 1100);
  return random.pick([view.getFloat64(0), sized, 1 + sized / 2 ** 10, whole, quarters, besideMiddle(random)]);
}
function operands(type: Float, name: string): number[] {
  const random = randomOf("elementary", type, name);
  const list = [...HARD, 0x1800006 * 2 ** -45, -0x17ffffa * 2 ** -45];
  const any = type === "f64" ? double : single;
  if (type === "f64") list.push(...HARD_DOUBLES);
  const some = Array.from({ length: COUNT }, (_, i) => list[i % (name === "x" ? 997 : 43)] ?? any(random));
  const far = type === "f64" ? FAR_POWERS.map(([x, y]) => (name === "x" ? x : y)) : [];
  return [...some, ...far].map((x) => SCALARS[type].wrap(x) as number);
}

describe.each(Object.keys(WAYS))("elementary functions by %s", (way) => {
  it.each(["f16", "f32", "f64"] as const)(
    `are those of the table for ${COUNT} values of %s`,
    async (type) => {
      const names: readonly FunctionName[] = functionNames(type).filter(isElementary);
      const [x, y] = [operands(type, "x"), operands(type, "y")];
      const runtime = jsRuntime({ capabilities: WAYS[way] as Capabilities });
      const pipeline = functionsOf(type, names);
      const isPaired = pipeline.nodes.some((node) => node.kind === "input" && node.name === "y");
      const program = await runtime.compile(pipeline);
      const outputs = await program.run({ x: toArray(type, x), ...(isPaired && { y: toArray(type, y) }) });
      for (const op of names) {
        const got = toValues(type, outputs[`${op}_out`] as never);
        got.forEach((value: ScalarValue, i: number) => {
          const at = [x[i] as number, y[i] as number].slice(0, FUNCTION_ROWS[op].rest.length + 1);
          const want = FUNCTION_ROWS[op].apply(type, at);
          if (!Object.is(value, want)) expect.fail(`${op}(${at}) of ${type} is ${value}, not ${want}`);
        });
      }
    },
  );
});
