/** Vec4s of narrow elements as words: one of four bytes, or two of two halves each. */
import type { Names } from "../../../ir/base/names.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, binary, load, u32 } from "../../kernel/make-expr.ts";
import { type LoadRowStmt, ROW, type Stmt, type StoreRowStmt } from "../../kernel/stmt.ts";
import { or } from "../../soft/base/pair.ts";
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

/**
 * Loads the words of a vec4, and names its elements.
 * @param isConverted its elements are halves that the device converts from whole words, and have no names
 */
export function vec4OfWords(
  field: Field,
  { name, array, index }: LoadRowStmt,
  names: Names,
  isConverted: boolean,
): { readonly stmts: Stmt[]; readonly row: PackedRow } {
  const stmts: Stmt[] = [];
  const named = (fresh: string, value: Expr): Expr => {
    stmts.push({ kind: "let", name: fresh, value });
    return { kind: "var", name: fresh, type: value.type };
  };
  const words = Array.from({ length: wordsIn(field) }, (_, i) => {
    const at = add(wordAt(field, index), u32(i));
    return named(i === 0 ? name : names.fresh(`${name}_next`), load("storage", array, "u32", at));
  });
  const each = 2 ** field.log2;
  const wordOf = (i: number): Expr => words[Math.floor(i / each)] as Expr;
  const elements = Array.from({ length: ROW }, (_, i) => {
    const element = fieldAt(field, wordOf(i), u32((i % each) * field.bits));
    return isConverted ? element : named(names.fresh(`${name}_${i}`), element);
  });
  return { stmts, row: { elements, wordOf, isHigh: (i) => i % each > 0 } };
}

/**
 * The words of four values, which no other vec4 shares.
 * @param convert the word of values that the device converts to halves; undefined for others
 */
export function wordsOfVec4(
  field: Field,
  { array, index, values }: StoreRowStmt,
  convert: (values: readonly Expr[]) => Expr | undefined,
): Stmt[] {
  const each = 2 ** field.log2;
  return Array.from({ length: wordsIn(field) }, (_, i): Stmt => {
    const own = values.slice(i * each, (i + 1) * each);
    const parts = own.map((value, k) => binary("shl", lowBits(field, value), u32(k * field.bits)));
    return {
      kind: "store",
      space: "storage",
      array,
      index: add(wordAt(field, index), u32(i)),
      value: convert(own) ?? parts.reduce((word, part) => or(word, part)),
    };
  });
}
