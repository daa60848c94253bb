/** Vec4s of narrow elements as words: one of four bytes, or two of two halves each. */
import type { Names } from "../../../ir/base/names.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, binary, load, u32 } from "../../kernel/make-expr.ts";
import { type LoadRowStmt, ROW, type Stmt, type StoreRowStmt } from "../../kernel/stmt.ts";
import { or } from "../../soft/base/pair.ts";
import { type Field, fieldAt, lowBits, wordAt } from "./field.ts";

const wordsIn = ({ bits }: Field): number => (ROW * bits) / 32;

/** Loads the words of a vec4, and names its elements. */
export function vec4OfWords(
  field: Field,
  { name, array, index }: LoadRowStmt,
  names: Names,
): { readonly stmts: Stmt[]; readonly elements: readonly Expr[] } {
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
  const elements = Array.from({ length: ROW }, (_, i) => {
    const word = words[Math.floor(i / each)] as Expr;
    return named(names.fresh(`${name}_${i}`), fieldAt(field, word, u32((i % each) * field.bits)));
  });
  return { stmts, elements };
}

/** The words of four values, which no other vec4 shares. */
export function wordsOfVec4(field: Field, { array, index, values }: StoreRowStmt): Stmt[] {
  const each = 2 ** field.log2;
  return Array.from({ length: wordsIn(field) }, (_, i): Stmt => {
    const parts = values
      .slice(i * each, (i + 1) * each)
      .map((value, k) => binary("shl", lowBits(field, value), u32(k * field.bits)));
    return {
      kind: "store",
      space: "storage",
      array,
      index: add(wordAt(field, index), u32(i)),
      value: parts.reduce((word, part) => or(word, part)),
    };
  });
}
