/**
 * Packs elements of 8 and 16 bits in words, for languages whose smallest store is a word. A vec4 of them is written as whole words, which no other
 * work-item writes. A single element is written by atomic operations that do not change the bits of its neighbours.
 */
import { Names } from "@groupwise/ir/base/names.js";
import { halfFormOf } from "../../capabilities/half-conversions.ts";
import type { Expr } from "../../language/expr.ts";
import { call, isSimple, load, unary } from "../../language/make-expr.ts";
import { mapParts } from "../../language/map-expr.ts";
import { memoryOf } from "../../language/memory.ts";
import type { Buffer, Fn, Module } from "../../language/module.ts";
import { madeOf } from "../../language/origin.ts";
import type { Stmt, StoreStmt } from "../../language/stmt.ts";
import { mixedArrays } from "../../language/uses.ts";
import { mapStmt } from "../../language/walk.ts";
import { shl } from "../../library/types/base/pair.ts";
import {
  convertedBits,
  HALF_WORD_FUNCTIONS,
  halfOfWord,
  wordOfHalves,
} from "../../library/types/half-conversions.ts";
import { namesOf } from "../base/names-of.ts";
import { type Around, mapKernels } from "../base/pass.ts";
import { fieldAt, fieldOf, isPacked, lowBits, onesAt, type Packed, shiftAt, wordAt } from "./field.ts";
import { type InWords, type PackedRow, vec4OfWords, wordsOfVec4 } from "./rows.ts";

/** An array whose elements are packed in words. */
export interface PackedArray {
  readonly buffer: Buffer;
  readonly memory: Packed;
  /** The function that loads an element. */
  readonly reader: string;
  /** No kernel accesses both vec4s and elements of it. */
  readonly together: boolean;
}
type PackedArrays = ReadonlyMap<string, PackedArray>;

const inWords = ({ memory, together }: PackedArray): InWords => ({ field: fieldOf(memory), together });

/** The module with words in place of narrow elements, if the language requires it. */
export function packElements(module: Module, { capabilities }: Pick<Around, "capabilities">): Module {
  if (capabilities.narrow !== "words") return module;
  const names = new Names(namesOf(module));
  const packed = new Map<string, PackedArray>();
  const mixed = mixedArrays(module.kernels);
  for (const buffer of module.buffers) {
    const memory = memoryOf(buffer);
    const { name } = buffer;
    if (isPacked(memory))
      packed.set(name, { buffer, memory, reader: names.fresh(`${name}_at`), together: !mixed.has(name) });
  }
  if (packed.size === 0) return module;
  const used = new Set<string>();
  const around: Packing = { packed, names, used, byDevice: halfFormOf(capabilities) !== undefined };
  const inWords = mapKernels(module, (kernel) => ({ ...kernel, body: packBlock(kernel.body, around) }));
  const linked = new Set(module.functions.map(({ name }) => name));
  const functions = [...[...packed.values()].map(readerOf), ...HALF_WORD_FUNCTIONS].filter(
    ({ name }) => used.has(name) && !linked.has(name),
  );
  const buffers = module.buffers.map(
    (buffer): Buffer => (packed.has(buffer.name) ? { ...buffer, memory: "u32" } : buffer),
  );
  return { ...inWords, buffers, functions: [...functions, ...module.functions] };
}

function readerOf({ buffer, memory, reader }: PackedArray): Fn {
  const field = fieldOf(memory);
  const index: Expr = { kind: "var", name: "index", type: "u32" };
  const word = load("storage", buffer.name, "u32", wordAt(field, index));
  return {
    name: reader,
    doc: `An element of ${buffer.name}, ${2 ** field.log2} of which share a word.`,
    params: [{ name: "index", type: "u32" }],
    returns: field.type,
    width: 1,
    body: [{ kind: "return", values: [fieldAt(field, word, shiftAt(field, index))] }],
  };
}

interface Packing {
  readonly packed: PackedArrays;
  readonly names: Names;
  /** The names of the functions that kernels call. */
  readonly used: Set<string>;
  /** Whether the device converts the halves of whole words. */
  readonly byDevice: boolean;
}

function packBlock(body: readonly Stmt[], { packed, names, used, byDevice }: Packing): readonly Stmt[] {
  /** By the name of a vec4: its elements now. */
  const rows = new Map<string, PackedRow>();
  const calling = <E extends Expr | undefined>(e: E): E => {
    if (e?.kind === "call") used.add(e.fn);
    return e;
  };
  /** A half that is converted from the word that it is a part of. */
  const halfIn = (e: Expr): Expr | undefined => {
    const bits = byDevice ? convertedBits(e) : undefined;
    const row = bits?.kind === "part" ? rows.get(bits.of) : undefined;
    return row && bits?.kind === "part"
      ? calling(halfOfWord(row.wordOf(bits.index), row.isHigh(bits.index)))
      : undefined;
  };
  const expr = (e: Expr): Expr => {
    const half = halfIn(e);
    if (half) return half;
    const inner = mapParts(e, expr);
    if (inner.kind === "part") return rows.get(inner.of)?.elements[inner.index] ?? inner;
    const array = inner.kind === "load" && packed.get(inner.array);
    if (!array) return inner;
    return calling({ ...call(array.reader, inner.type, [inner.index]), loads: true });
  };
  const convert = (values: readonly Expr[]): Expr | undefined =>
    byDevice ? calling(wordOfHalves(values)) : undefined;
  const one = (given: Stmt): readonly Stmt[] => {
    const stmt = mapStmt(given, expr, block);
    if ("name" in stmt) rows.delete(stmt.name);
    const array = "array" in stmt ? packed.get(stmt.array) : undefined;
    if (!array) return [stmt];
    if (stmt.kind === "store") return storeOf(array, stmt, names);
    if (stmt.kind === "store-row") return wordsOfVec4(inWords(array), stmt, convert);
    if (stmt.kind !== "load-row") return [stmt];
    const isConverted = byDevice && array.buffer.type === "f16";
    const made = vec4OfWords(inWords(array), stmt, names, isConverted);
    rows.set(stmt.name, made.row);
    return made.stmts;
  };
  const block = (stmts: readonly Stmt[]): readonly Stmt[] => stmts.flatMap((stmt) => madeOf(stmt, one(stmt)));
  return block(body);
}

/** Work-items that write neighbours at the same time change only their own bits. */
function storeOf({ buffer, memory }: PackedArray, { array, index, value }: StoreStmt, names: Names): Stmt[] {
  const field = fieldOf(memory);
  const before: Stmt[] = [];
  const named = (hint: string, e: Expr): Expr => {
    if (isSimple(e)) return e;
    const name = names.fresh(`${array}_${hint}`);
    before.push({ kind: "let", name, value: e });
    return { kind: "var", name, type: e.type };
  };
  const at = named("index", index);
  const shift = named("shift", shiftAt(field, at));
  const atomic = (op: "and" | "or", of: Expr): Stmt => ({
    kind: "atomic",
    op,
    space: "storage",
    array,
    index: wordAt(field, at),
    value: of,
  });
  const bits = shl(lowBits(field, value), shift);
  // A scatter writes a slot once, where there is 0.
  const clear = buffer.cleared ? [] : [atomic("and", unary("not", onesAt(field, shift)))];
  return [...before, ...clear, atomic("or", bits)];
}
