/** Names of emitted C++, which begin with `gw_`; an author's names get a prefix, so that they are no words of C++. */
import type { ArrayType, Binding, Manifest, Scalar } from "@groupwise/core";
import { memoryOf } from "@groupwise/core/kernel";
import { tablesOf, userParams } from "@groupwise/core/target";

/** The function of a pipeline: `gw_line_index`, from `line-index`. */
export const symbolOf = ({ pipeline }: Pick<Manifest, "pipeline">): string =>
  `gw_${pipeline.replaceAll("-", "_")}`;
/** The name of its files, without the end: `gw_line-index`. */
export const fileOf = ({ pipeline }: Pick<Manifest, "pipeline">): string => `gw_${pipeline}`;

const TYPES: Readonly<Record<ArrayType, string>> = {
  i8: "int8_t",
  u8: "uint8_t",
  i16: "int16_t",
  u16: "uint16_t",
  // As their bits.
  bf16: "uint16_t",
  f16: "uint16_t",
  i32: "int32_t",
  u32: "uint32_t",
  i64: "int64_t",
  u64: "uint64_t",
  f32: "float",
  f64: "double",
  bool: "bool",
};
/** The type of a value in C++. */
export const hostType = (type: Scalar): string => TYPES[type];
/** The type of an element in C++. */
export const elementType = (binding: Pick<Binding, "type" | "memory">): string =>
  binding.type === "bool" ? "bool" : TYPES[memoryOf(binding)];

/** The variable for the array of a binding. */
export const arrayOf = ({ name, role, inPlace }: Binding): string =>
  role === "output" || inPlace !== undefined
    ? `out_${name}`
    : role === "scratch" || role === "status"
      ? `own_${name}`
      : `in_${name}`;

/** An argument of the function. */
export interface HostArgument {
  readonly type: string;
  readonly name: string;
  readonly about: string;
}

/** Arrays that a caller passes. */
export const isGiven = ({ role }: Binding): boolean => role !== "scratch" && role !== "status";
export const isStatus = ({ role }: Binding): boolean => role === "status";

/** The parameters of the pipeline, by the names that formulas have for them. */
export const paramsOf = (manifest: Manifest): readonly { readonly name: string; readonly type: Scalar }[] =>
  userParams(manifest).map(({ name, type }) => ({ name: `param_${name}`, type }));
/** Lengths of tables, by the names that formulas have for them. */
export const lengthsOf = (manifest: Manifest): readonly string[] =>
  tablesOf(manifest).map(({ name }) => `length_${name}`);
