/** Names and texts of the emitted C: an author's names get a prefix, so that they cannot be words of C. */
import type { ArrayType, Manifest, Scalar } from "@groupwise/core";
import type { LaunchParam } from "@groupwise/core/kernel";
import { errorOf, userParams } from "@groupwise/core/target";

/** `line_index`, from `line-index`. */
export const prefixOf = (manifest: Manifest): string => manifest.pipeline.replaceAll("-", "_");
/** `LINE_INDEX`, for macros; `CL_PROGRAM_` where `CL_PROGRAM_BUILD_OPTIONS` would be OpenCL's. */
export function macroOf(manifest: Manifest): string {
  const macro = prefixOf(manifest).toUpperCase();
  return macro === "CL_PROGRAM" ? `${macro}_` : macro;
}

/** An element in C hosts: its type in memory, its format, and its sample values. */
export interface HostType {
  /** In words of `stdint.h`, which OpenCL's own types are names of. */
  readonly c: string;
  readonly format: string;
  /** The element as an argument of `printf`. */
  shown(x: string): string;
  /** True if samples are on both sides of 0. */
  readonly isCentred?: boolean;
  /** A value made of the whole number `k`, 0 to 100; 0 stands for `middle` where samples are centred. */
  sample(k: string, middle: string): string;
}

const asIs = (x: string): string => x;

export const HOST_TYPES: Readonly<Record<ArrayType, HostType>> = {
  i8: {
    c: "int8_t",
    format: "%d",
    shown: asIs,
    isCentred: true,
    sample: (k, middle) => `(cl_char)((cl_int)${k} - ${middle})`,
  },
  u8: { c: "uint8_t", format: "%u", shown: (x) => `(cl_uint)${x}`, sample: (k) => `(cl_uchar)${k}` },
  i16: {
    c: "int16_t",
    format: "%d",
    shown: asIs,
    isCentred: true,
    sample: (k, middle) => `(cl_short)((cl_int)${k} - ${middle})`,
  },
  u16: { c: "uint16_t", format: "%u", shown: (x) => `(cl_uint)${x}`, sample: (k) => `(cl_ushort)${k}` },
  // The 16 bits of numbers from 1 to 1.8.
  bf16: {
    c: "uint16_t",
    format: "0x%04x",
    shown: asIs,
    sample: (k) => `(cl_ushort)(0x3f80u + (cl_uint)${k})`,
  },
  i32: {
    c: "int32_t",
    format: "%d",
    shown: asIs,
    isCentred: true,
    sample: (k, middle) => `(cl_int)${k} - ${middle}`,
  },
  u32: { c: "uint32_t", format: "%u", shown: asIs, sample: (k) => `(cl_uint)${k}` },
  i64: {
    c: "int64_t",
    format: "%lld",
    shown: (x) => `(long long)${x}`,
    isCentred: true,
    sample: (k, middle) => `((cl_long)${k} - ${middle}) * 10000000000`,
  },
  u64: {
    c: "uint64_t",
    format: "%llu",
    shown: (x) => `(unsigned long long)${x}`,
    sample: (k) => `(cl_ulong)${k} * 10000000000u`,
  },
  // C99 has no half: its 16 bits travel, and these are of 1 to 1.1.
  f16: { c: "uint16_t", format: "0x%04x", shown: asIs, sample: (k) => `(cl_half)(0x3c00u + (cl_uint)${k})` },
  f32: {
    c: "float",
    format: "%.9g",
    shown: (x) => `(double)${x}`,
    isCentred: true,
    sample: (k, middle) => `(cl_float)${k} / 8 - ${middle} / 8`,
  },
  f64: {
    c: "double",
    format: "%.17g",
    shown: asIs,
    isCentred: true,
    sample: (k, middle) => `(cl_double)${k} / 8 - ${middle} / 8`,
  },
  bool: { c: "uint32_t", format: "%u", shown: asIs, sample: (k) => `(${k} < 50)` },
};

/** The type of a parameter in C hosts. */
export interface HostParam {
  readonly name: string;
  readonly type: Scalar;
}

/** The origin of a launch scalar. */
export const sourceOf = ({ name, type, from }: LaunchParam): HostParam => from ?? { name, type };

/** The parameters that a host passes, each once. */
export const hostParams: (manifest: Manifest) => readonly HostParam[] = userParams;

/** A string literal of C. Only the project's own texts are valid; others are refused. */
export function quoted(text: string): string {
  if (!/^[\w .,=+-]*$/.test(text))
    throw errorOf("bad-kernel", { reason: `${JSON.stringify(text)} in C text` });
  return `"${text}"`;
}

/** True if some kernel takes the number of items. */
export const takesLength = ({ params, passes }: Manifest): boolean =>
  params.some(({ role, name }) => role === "length" && passes.some((pass) => pass.params.includes(name)));

/** True if items can write outside of an array; runs report it. */
export const hasScatters = ({ bindings }: Manifest): boolean =>
  bindings.some(({ role }) => role === "status");
