/** Functions of WGSL that give the exact result: those of integers (17.5). Of floats it promises less. */
import { called } from "@groupwise/core/kernel";

/** By the body that they replace. */
export const OWN: Readonly<Record<string, (...args: string[]) => string>> = {
  ctz_of_u32: called("countTrailingZeros"),
  reverse_bits_of_u32: called("reverseBits"),
  extract_bits_of_u32: called("extractBits"),
  extract_bits_of_i32: called("extractBits"),
  insert_bits_of_u32: called("insertBits"),
  sign_of_i32: called("sign"),
};
