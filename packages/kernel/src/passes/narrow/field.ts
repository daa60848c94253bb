/** An element of 8 or 16 bits as a field of a word. */
import { NARROW } from "@groupwise/ir/tables/narrow.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "../../language/expr.ts";
import { and, binary, bitcast, u32 } from "../../language/make-expr.ts";
import type { Memory } from "../../language/memory.ts";
import { shl, shr } from "../../library/types/base/pair.ts";

/** How elements are packed in words. */
export interface Field {
  readonly bits: 8 | 16;
  /** The binary logarithm of the elements of a word. */
  readonly log2: 1 | 2;
  readonly isSigned: boolean;
  /** The type of the values. */
  readonly type: Scalar;
}

export type Packed = "i8" | "u8" | "i16" | "u16";

/** The field of elements in a form of memory. */
export function fieldOf(memory: Packed): Field {
  const { bits, value } = NARROW[memory];
  return { bits, log2: bits === 8 ? 2 : 1, isSigned: value === "i32", type: value };
}

/** True for a form of which several elements share a word. */
export const isPacked = (memory: Memory | undefined): memory is Packed =>
  memory === "i8" || memory === "u8" || memory === "i16" || memory === "u16";

const maskOf = ({ bits }: Field): Expr => u32(2 ** bits - 1);

/** The word that holds an element. */
export const wordAt = ({ log2 }: Field, index: Expr): Expr => shr(index, log2);

/** The offset in bits of an element in its word. */
export const shiftAt = ({ log2, bits }: Field, index: Expr): Expr =>
  shl(and(index, 2 ** log2 - 1), Math.log2(bits));

/** The value of the field that begins at a bit. */
export function fieldAt(field: Field, word: Expr, shift: Expr): Expr {
  const { bits, isSigned, type } = field;
  const isTop = shift.kind === "const" && Number(shift.value) === 32 - bits;
  if (!isSigned) return isTop ? binary("shr", word, shift) : and(binary("shr", word, shift), maskOf(field));
  const top = u32(32 - bits);
  const raised = binary("shl", isTop ? word : binary("shr", word, shift), isTop ? u32(0) : top);
  return binary("shr", bitcast(type, raised), top);
}

/** The bits of a value at the low end of a word, those above it 0. */
export const lowBits = (field: Field, value: Expr): Expr => and(bitcast("u32", value), maskOf(field));

/** A word with ones in a field. */
export const onesAt = (field: Field, shift: Expr): Expr => binary("shl", maskOf(field), shift);
