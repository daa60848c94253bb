/** The types of WebAssembly for the scalars and the elements of kernels. */
import type { Narrow, Scalar } from "@groupwise/core";
import type { Memory } from "@groupwise/core/kernel";
import type { ValueType } from "../encode/instructions.ts";

/** The types of scalars in kernels; halves are emulated with them. */
type KernelScalar = Exclude<Scalar, "f16">;

const TYPES: Readonly<Record<KernelScalar, Exclude<ValueType, "v128">>> = {
  i32: "i32",
  u32: "i32",
  i64: "i64",
  u64: "i64",
  f32: "f32",
  f64: "f64",
  // 0 or 1
  bool: "i32",
};
/** The type of a value. */
export const valueType = (type: Scalar): Exclude<ValueType, "v128"> => TYPES[type as KernelScalar];

/** How an element is loaded and stored. */
export interface ElementForm {
  readonly load: string;
  readonly store: string;
  /** The logarithm of its bytes. */
  readonly log: number;
}

const form = (load: string, store: string, log: number): ElementForm => ({ load, store, log });
const BYTE = form("i32.load8_u", "i32.store8", 0);
const SHORT = form("i32.load16_u", "i32.store16", 1);
const WORD = form("i32.load", "i32.store", 2);
const WIDE = form("i64.load", "i64.store", 3);
const FORMS: Readonly<Record<KernelScalar | Narrow, ElementForm>> = {
  i32: WORD,
  u32: WORD,
  i64: WIDE,
  u64: WIDE,
  f32: form("f32.load", "f32.store", 2),
  f64: form("f64.load", "f64.store", 3),
  bool: BYTE,
  i8: form("i32.load8_s", "i32.store8", 0),
  u8: BYTE,
  i16: form("i32.load16_s", "i32.store16", 1),
  u16: SHORT,
  // As its bits.
  bf16: SHORT,
};
/** The form of an element in memory. */
export const formIn = (memory: Memory): ElementForm => FORMS[memory as KernelScalar | Narrow];
