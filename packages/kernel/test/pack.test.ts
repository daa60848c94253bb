/** Arrays of narrow elements, several in a word, on kernels written by hand: elements and vec4s stay what they were, and so do their neighbours. */
import { Names } from "@groupwise/ir/base/names.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { expect, test } from "vitest";
import { fc } from "../../ir/test/fast-check.ts";
import { Code, storageRef } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, binary, bitcast, cast, load, sub, u32 } from "../src/language/make-expr.ts";
import type { Buffer, Kernel, Module } from "../src/language/module.ts";
import { mixedArrays, rowArrays } from "../src/language/uses.ts";
import { verify } from "../src/language/verify.ts";
import { allExprs, walk } from "../src/language/walk.ts";
import { linkFunctions } from "../src/passes/functions.ts";
import { bfloatBits } from "../src/passes/narrow/bfloat.ts";
import { packElements } from "../src/passes/narrow/pack.ts";
import { type Step, stepsOver, writeStep } from "./array-programs.ts";
import { runGroup } from "./kernel-interpreter.ts";
import { kernelWith, moduleWith } from "./modules.ts";
import { SIMT } from "./simt.ts";

const N = 10;
const low = (word: Expr, bits: number): Expr => binary("and", word, u32(2 ** bits - 1));
const signed = (word: Expr, bits: number): Expr =>
  sub(bitcast("i32", low(word, bits)), bitcast("i32", u32(2 ** (bits - 1))));
/** By type: its bits, a value of a word, and the value of an element's bits. */
const TYPES = {
  i8: { bits: 8, make: (word: Expr) => signed(word, 8), read: (field: number) => (field << 24) >> 24 },
  u8: { bits: 8, make: (word: Expr) => low(word, 8), read: (field: number) => field },
  i16: { bits: 16, make: (word: Expr) => signed(word, 16), read: (field: number) => (field << 16) >> 16 },
  u16: { bits: 16, make: (word: Expr) => low(word, 16), read: (field: number) => field },
  bf16: {
    bits: 16,
    make: (word: Expr) => cast("f32", low(word, 8)),
    read: (field: number) => new Float32Array(Uint32Array.of(field * 2 ** 16).buffer)[0] as number,
  },
} as const;
type Type = keyof typeof TYPES;
const NAMES = Object.keys(TYPES) as Type[];
const buffer = (name: string, type: ArrayType, role: Buffer["role"] = "output"): Buffer => ({
  ...{ name, role, type, elements: "n", cleared: false },
});
const BUFFERS: readonly Buffer[] = [
  ...NAMES.map((type) => buffer(type, type)),
  { ...buffer("slots", "u8"), cleared: true },
  buffer("x", "u32", "input"),
  buffer("y", "u32"),
];

/** @param slots that are written into a cleared array, each once */
function moduleOf(steps: readonly Step[], slots: readonly number[]): Module {
  const code = new Code(new Names(BUFFERS.map(({ name }) => name)));
  for (const [at, step] of steps.entries()) {
    const type = step.name as Type;
    writeStep(code, step, storageRef(type, type), at, TYPES[type].make);
  }
  for (const slot of slots)
    code.store(storageRef("slots", "u8"), u32(slot), low(load("storage", "x", "u32", u32(slot)), 8));
  // An array of words may have the name of a vec4 of other elements, too.
  code.for("k", u32(0), u32(2), (body) => {
    const row = body.loadRow("row", storageRef("x", "u32"), u32(4));
    body.store(storageRef("y", "u32"), u32(8), add(row[1] as Expr, row[2] as Expr));
  });
  return moduleWith([kernelWith(code.stmts)], { buffers: BUFFERS });
}
const packed = (module: Module): Module =>
  packElements(linkFunctions(bfloatBits(module), { capabilities: SIMT }), { capabilities: SIMT });

/** Words of elements, the first one in the low bits. */
const inWords = (fields: readonly number[], bits: number): number[] =>
  Array.from({ length: Math.ceil((fields.length * bits) / 32) }, (_, i) => {
    const own = fields.slice((i * 32) / bits, ((i + 1) * 32) / bits);
    return own.reduce((word, field, k) => (word | (field << (k * bits))) >>> 0, 0);
  });
const fieldsIn = (words: readonly number[], bits: number): number[] =>
  words.flatMap((word) =>
    Array.from({ length: 32 / bits }, (_, k) => (word >>> (k * bits)) & (2 ** bits - 1)),
  );

const FIELDS = Array.from({ length: N }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 9) & 0x3f7f);
const X = Array.from({ length: N }, (_, i) => Math.imul(i + 3, 0x85ebca6b) >>> 0);
const given = (name: string, bits: number): number[] =>
  FIELDS.map((field) => (name === "slots" ? 0 : field & (2 ** bits - 1)));

/** The arrays after a run over words. */
function ranPacked(module: Module): Record<string, readonly ScalarValue[]> {
  const words = Object.fromEntries(
    NAMES.map((name) => [name, inWords(given(name, TYPES[name].bits), TYPES[name].bits)]),
  );
  const storage: Record<string, ScalarValue[]> = {
    ...words,
    slots: inWords(given("slots", 8), 8),
    x: [...X],
    y: Array(N).fill(0),
  };
  runGroup(module.kernels[0] as Kernel, { size: 1, storage, functions: module.functions });
  const values = NAMES.map((name) => {
    const { bits, read } = TYPES[name];
    return [
      name,
      fieldsIn(storage[name] as number[], bits)
        .slice(0, N)
        .map(read),
    ] as const;
  });
  return {
    ...storage,
    ...Object.fromEntries(values),
    slots: fieldsIn(storage.slots as number[], 8).slice(0, N),
  };
}

/** The same where each element is a value. */
function ranWhole(module: Module): Record<string, readonly ScalarValue[]> {
  const values = NAMES.map((name) => {
    const { bits, read } = TYPES[name];
    return [name, given(name, bits).map(read)] as const;
  });
  const storage = { ...Object.fromEntries(values), slots: given("slots", 8), x: [...X], y: Array(N).fill(0) };
  runGroup(module.kernels[0] as Kernel, { size: 1, storage, functions: module.functions });
  return storage;
}

const slots = fc.uniqueArray(fc.nat(N - 1), { maxLength: N });

test("elements of 8 and 16 bits in words are those of arrays of values, and no write changes a neighbour", () => {
  fc.assert(
    fc.property(stepsOver(NAMES), slots, (steps, written) => {
      const whole = moduleOf(steps, written);
      const made = packed(whole);
      verify(made);
      expect(ranPacked(made)).toEqual(ranWhole(whole));
      // Vec4s of arrays without accesses of elements are loaded and stored at once where they are two words.
      const mixed = mixedArrays(whole.kernels);
      const rows = [...rowArrays(whole.kernels).keys()].filter((name) => name !== "x" && !mixed.has(name));
      const wide = rows.filter((name) => TYPES[name as Type].bits === 16);
      expect([...rowArrays(made.kernels).keys()].filter((name) => name !== "x").sort()).toEqual(wide.sort());
    }),
    { numRuns: process.env.GROUPWISE_FULL ? 60 : 30 },
  );
});

test("functions that read elements are there once for each array that is read", () => {
  const read = (name: Type): Step => ({ name, writesRow: true, readsRow: false });
  const { functions, buffers, kernels } = packed(moduleOf([read("i8"), read("u16"), read("i8")], []));
  expect(functions.map(({ name }) => name)).toEqual(["i8_at", "u16_at"]);
  const calls = kernels.flatMap(({ body }) => [...allExprs(body)].filter((e) => e.kind === "call"));
  expect(calls.every((e) => e.loads)).toBe(true);
  expect(buffers.map(({ memory }) => memory)).toEqual([...Array(6).fill("u32"), undefined, undefined]);
});

test("a cleared array is written by one atomic operation an element, others by two", () => {
  const atomics = (module: Module): number =>
    module.kernels.flatMap(({ body }) => walk(body)).filter(({ kind }) => kind === "atomic").length;
  expect(atomics(packed(moduleOf([], [1, 2, 7])))).toBe(3);
  expect(atomics(packed(moduleOf([{ name: "i8", writesRow: false, readsRow: true }], [])))).toBe(8);
});

test("arrays stay where a language has elements of their width", () => {
  const module = moduleOf([], [1]);
  expect(packElements(module, { capabilities: { ...SIMT, narrow: "native" } })).toBe(module);
  const words = { ...module, buffers: BUFFERS.slice(-2), kernels: [] };
  expect([bfloatBits(words), packElements(words, { capabilities: SIMT })]).toEqual([words, words]);
});
