/** Vec4s of narrow elements as words: one of four bytes, or two of two halves each. */
import type { Names } from "@groupwise/ir/base/names.js";
import type { Expr } from "../../language/expr.ts";
import { add, binary, load, u32 } from "../../language/make-expr.ts";
import { type LoadRowStmt, ROW, type Stmt, type StoreRowStmt } from "../../language/stmt.ts";
import { or } from "../../library/types/base/pair.ts";
import { type Field, fieldAt, lowBits, wordAt } from "./field.ts";

const wordsIn = ({ bits }: Field): number => (ROW * bits) / 32;

/** A vec4 of narrow elements. */
export interface PackedRow {
  readonly elements: readonly Expr[];
  /** The word of an element. */
  wordOf(index: number): Expr;
  /** Whether an element is in the high bits of its word. */
  isHigh(index: number): boolean;
}

/** How the vec4s of an array are words. */
export interface InWords {
  readonly field: Field;
  /** Two words are one load and one store: no kernel also accesses the array by element. */
  readonly together: boolean;
}

/**
 * Loads the words of a vec4, and names its elements.
 * @param isConverted its elements are halves that the device converts from whole words, and have no names
 */
export function vec4OfWords(
  { field, together }: InWords,
  { name, array, index }: LoadRowStmt,
  names: Names,
  isConverted: boolean,
): { readonly stmts: Stmt[]; readonly row: PackedRow } {
  const stmts: Stmt[] = [];
  const named = (fresh: string, value: Expr): Expr => {
    stmts.push({ kind: "let", name: fresh, value });
    return { kind: "var", name: fresh, type: value.type };
  };
  const count = wordsIn(field);
  const first = wordAt(field, index);
  const wordOfRow = (i: number): Expr => ({ kind: "part", of: name, index: i, type: "u32" });
  const wordAlone = (i: number): Expr =>
    named(i === 0 ? name : names.fresh(`${name}_next`), load("storage", array, "u32", add(first, i)));
  const isRow = together && count === 2;
  if (isRow) stmts.push({ kind: "load-row", name, array, type: "u32", index: first, width: 2 });
  const words = Array.from({ length: count }, (_, i) => (isRow ? wordOfRow(i) : wordAlone(i)));
  const each = 2 ** field.log2;
  const wordOf = (i: number): Expr => words[Math.floor(i / each)] as Expr;
  const elements = Array.from({ length: ROW }, (_, i) => {
    const element = fieldAt(field, wordOf(i), u32((i % each) * field.bits));
    return isConverted ? element : named(names.fresh(`${name}${i}`), element);
  });
  return { stmts, row: { elements, wordOf, isHigh: (i) => i % each > 0 } };
}

/**
 * The words of four values, which no other vec4 shares.
 * @param convert the word of values that the device converts to halves; undefined for others
 */
export function wordsOfVec4(
  { field, together }: InWords,
  { array, index, values }: StoreRowStmt,
  convert: (values: readonly Expr[]) => Expr | undefined,
): Stmt[] {
  const each = 2 ** field.log2;
  const words = Array.from({ length: wordsIn(field) }, (_, i): Expr => {
    const own = values.slice(i * each, (i + 1) * each);
    const parts = own.map((value, k) => binary("shl", lowBits(field, value), k * field.bits));
    return convert(own) ?? parts.reduce((word, part) => or(word, part));
  });
  const first = wordAt(field, index);
  if (together && words.length === 2) return [{ kind: "store-row", array, index: first, values: words }];
  return words.map(
    (value, i): Stmt => ({ kind: "store", space: "storage", array, index: add(first, i), value }),
  );
}
