/** Casts between all types give the same where a device emulates some of them. */
import { Names } from "@groupwise/ir/base/names.js";
import { bitcastValue, castValue, wordOf } from "@groupwise/ir/tables/convert-value.js";
import { SCALAR_NAMES, SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { expect, test } from "vitest";
import type { Capabilities } from "../src/capabilities/capabilities.ts";
import { Code } from "../src/language/build.ts";
import { cast, load, u32 } from "../src/language/make-expr.ts";
import type { Buffer, Kernel, Module } from "../src/language/module.ts";
import { runPasses } from "../src/passes/base/pass.ts";
import { PASSES } from "../src/passes/list.ts";
import { runGroup } from "./kernel-interpreter.ts";
import { bufferWith, kernelWith, moduleWith } from "./modules.ts";
import { SIMT } from "./simt.ts";

const MAGNITUDES = [
  ...[0, 1, 2, 0.5, 1.5, 2.5, 255, 65_504, 65_519, 65_520, 1e300, Number.POSITIVE_INFINITY, Number.NaN],
  // Ties of a half, and what an f32 would round to one; the least halves.
  ...[2049, 2051, 2049 + 2 ** -40, 2 ** -24, 2 ** -25, 2 ** -25 + 2 ** -60, 3 * 2 ** -25, 6e-5],
  ...[2 ** 24 + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 63, 2 ** 64, 2 ** 24 + 3],
];
const INTEGERS = [
  2n ** 63n - 1n,
  2n ** 64n - 1n,
  2n ** 53n + 1n,
  2n ** 40n + 2n ** 16n + 1n,
  -(2n ** 62n) - 1n,
];

/** Values of a type. */
function valuesOf(type: Scalar): ScalarValue[] {
  const { kind, lowest, wrap } = SCALARS[type];
  if (kind === "bool") return [false, true];
  const all = MAGNITUDES.flatMap((value) => [value, -value]);
  if (typeof lowest === "bigint")
    return [
      ...all.filter(Number.isFinite).map((value) => wrap(BigInt(Math.trunc(value)))),
      ...INTEGERS.map(wrap),
    ];
  return all.map((value) => wrap(kind === "float" || Number.isFinite(value) ? value : 7));
}
const VALUES = new Map(SCALAR_NAMES.map((type) => [type, valuesOf(type)]));
const given = (type: Scalar): readonly ScalarValue[] => VALUES.get(type) ?? [];

function moduleOf(): Module {
  const buffers: Buffer[] = [];
  const code = new Code(new Names(["i"]));
  const array = (name: string, type: Scalar, role: Buffer["role"]): void =>
    void buffers.push(bufferWith(name, role, type));
  for (const from of SCALAR_NAMES) {
    array(from, from, "input");
    for (const to of SCALAR_NAMES) {
      array(`${from}_${to}`, to, "output");
      const out = { space: "storage", name: `${from}_${to}`, type: to } as const;
      code.for("i", u32(0), u32(given(from).length), (body, i) =>
        body.store(out, i, cast(to, load("storage", from, from, i))),
      );
    }
  }
  return moduleWith([kernelWith(code.stmts)], { buffers });
}

const NATIVE: readonly (readonly [string, readonly Scalar[]])[] = [
  ["none of its own", []],
  ["halves of its own", ["f16"]],
  ["doubles of its own", ["f64"]],
  ["integers of 64 bits of its own", ["i64", "u64"]],
  ["halves and doubles of its own", ["f16", "f64"]],
  ["halves and integers of 64 bits of its own", ["f16", "i64", "u64"]],
  ["all but halves", ["i64", "u64", "f64"]],
];

test.each(NATIVE)("casts between all types, on a device with %s", (_, native) => {
  const emulated = (["i64", "u64", "f16", "f64"] as const).filter((type) => !native.includes(type));
  const scalars: Capabilities["scalars"] = {
    ...SIMT.scalars,
    f32: "native",
    ...Object.fromEntries(native.map((type) => [type, "native"])),
    ...Object.fromEntries(emulated.map((type) => [type, "emulated"])),
  };
  const made = runPasses(PASSES, moduleOf(), { capabilities: { ...SIMT, scalars } });
  if ("refused" in made) throw made.error;
  const inWords = (type: Scalar): boolean => type !== "f16" && (emulated as readonly Scalar[]).includes(type);
  const storage: Record<string, ScalarValue[]> = {};
  for (const { name, role, type } of made.buffers) {
    const values = given((role === "input" ? type : name.split("_")[0]) as Scalar);
    const count = values.length * (inWords(type as Scalar) ? 2 : 1);
    const words = (value: ScalarValue): ScalarValue[] =>
      inWords(type as Scalar)
        ? [wordOf(type as Scalar, value, 0), wordOf(type as Scalar, value, 1)]
        : [value];
    storage[name] = role === "input" ? values.flatMap(words) : Array(count);
  }
  runGroup(made.kernels[0] as Kernel, { size: 1, storage, functions: made.functions });
  for (const from of SCALAR_NAMES)
    for (const to of SCALAR_NAMES) {
      const array = storage[`${from}_${to}`] ?? [];
      const got = given(from).map((_, i) => {
        if (!inWords(to)) return array[i];
        const [low, high] = array.slice(2 * i) as [number, number];
        return bitcastValue("u64", to, (BigInt(high) << 32n) | BigInt(low));
      });
      expect([from, to, got]).toEqual([from, to, given(from).map((value) => castValue(from, to, value))]);
    }
});
