/** The sample data of an emitted program, and the printing of results. */
import type { ArrayType } from "@groupwise/core";

/** The code that fills and prints elements of a type. */
export interface Sample {
  /** The conversion of `printf`, as parts of a C string. */
  readonly format: string;
  /** The element as an argument of `printf`. */
  shown(x: string): string;
  /** A value made of the whole number `k` below `spread`; types with a sign get both. */
  value(k: string): string;
}

const asIs = (x: string): string => x;
const centred = (type: string) => (k: string) => `(${type})${k} - (${type})(spread / 2)`;
const eighths = (type: string) => (k: string) => `((${type})${k} - (${type})(spread / 2)) / 8`;

export const SAMPLES: Readonly<Record<ArrayType, Sample>> = {
  i8: { format: '%" PRId8 "', shown: asIs, value: (k) => `(int8_t)(${centred("int32_t")(k)})` },
  u8: { format: '%" PRIu8 "', shown: asIs, value: (k) => `(uint8_t)${k}` },
  i16: { format: '%" PRId16 "', shown: asIs, value: (k) => `(int16_t)(${centred("int32_t")(k)})` },
  u16: { format: '%" PRIu16 "', shown: asIs, value: (k) => `(uint16_t)${k}` },
  // The 16 bits of numbers from 1 to 1.8.
  bf16: { format: '0x%04" PRIx16 "', shown: asIs, value: (k) => `(uint16_t)(0x3f80 + ${k})` },
  i32: { format: '%" PRId32 "', shown: asIs, value: centred("int32_t") },
  u32: { format: '%" PRIu32 "', shown: asIs, value: (k) => `(uint32_t)${k}` },
  i64: { format: '%" PRId64 "', shown: asIs, value: centred("int64_t") },
  u64: { format: '%" PRIu64 "', shown: asIs, value: (k) => `(uint64_t)${k}` },
  // The 16 bits of numbers from 1 to 1.1.
  f16: { format: '0x%04" PRIx16 "', shown: asIs, value: (k) => `(uint16_t)(0x3c00 + ${k})` },
  f32: { format: "%.9g", shown: (x) => `(double)${x}`, value: eighths("float") },
  f64: { format: "%.17g", shown: asIs, value: eighths("double") },
  bool: { format: "%d", shown: asIs, value: (k) => `${k} < spread / 2` },
};
