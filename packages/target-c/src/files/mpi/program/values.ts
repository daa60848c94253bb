/** The code by which emitted programs read parameters and print results. */
import type { ArrayType, Scalar } from "@groupwise/core";

/** A type on the command line and in files. */
export interface ProgramType {
  /** NumPy's name of the type. */
  readonly descr: string;
  /** The function of {@link VALUES} that reads it, and the code that prints results. */
  readonly reader: string;
  readonly format: string;
  shown(x: string): string;
}

const asIs = (x: string): string => x;

export const TYPES: Readonly<Record<ArrayType, ProgramType>> = {
  i8: { descr: "|i1", reader: "read_signed", format: '%" PRId8 "', shown: asIs },
  u8: { descr: "|u1", reader: "read_unsigned", format: '%" PRIu8 "', shown: asIs },
  i16: { descr: "<i2", reader: "read_signed", format: '%" PRId16 "', shown: asIs },
  u16: { descr: "<u2", reader: "read_unsigned", format: '%" PRIu16 "', shown: asIs },
  // NumPy has no bf16, which is stored as its 16 bits.
  bf16: { descr: "<u2", reader: "read_unsigned", format: '0x%04" PRIx16 "', shown: asIs },
  i32: { descr: "<i4", reader: "read_signed", format: '%" PRId32 "', shown: asIs },
  u32: { descr: "<u4", reader: "read_unsigned", format: '%" PRIu32 "', shown: asIs },
  i64: { descr: "<i8", reader: "read_signed", format: '%" PRId64 "', shown: asIs },
  u64: { descr: "<u8", reader: "read_unsigned", format: '%" PRIu64 "', shown: asIs },
  f16: { descr: "<f2", reader: "read_unsigned", format: '0x%04" PRIx16 "', shown: asIs },
  f32: { descr: "<f4", reader: "read_float", format: "%.9g", shown: (x) => `(double)${x}` },
  f64: { descr: "<f8", reader: "read_double", format: "%.17g", shown: asIs },
  bool: { descr: "|b1", reader: "read_unsigned", format: "%d", shown: asIs },
};

/** The least and the largest value of readers of whole numbers. */
export const RANGES: Readonly<Partial<Record<Scalar, string>>> = {
  i32: "INT32_MIN, INT32_MAX",
  i64: "INT64_MIN, INT64_MAX",
  u32: "UINT32_MAX",
  u64: "UINT64_MAX",
  f16: "UINT16_MAX",
  bool: "1",
};

const whole = (name: string, type: string, parse: string, args: string, test: string): string => `
static ${type} ${name}(const char *name, const char *text, ${args}) {
  char *end;
  errno = 0;
  const ${type} x = ${parse}(text, &end, 0);
  if (end == text || *end != '\\0' || errno != 0 || ${test}) fail("%s: %s is no such number", name, text);
  return x;
}
`;
const float = (name: string, type: string, parse: string): string => `
static ${type} ${name}(const char *name, const char *text) {
  char *end;
  const ${type} x = ${parse}(text, &end);
  if (end == text || *end != '\\0') fail("%s: %s is no number", name, text);
  return x;
}
`;

/** The functions, by name. */
export const VALUES: Readonly<Record<string, string>> = {
  read_signed: whole(
    "read_signed",
    "int64_t",
    "strtoll",
    "int64_t least, int64_t largest",
    "x < least || x > largest",
  ),
  read_unsigned: whole(
    "read_unsigned",
    "uint64_t",
    "strtoull",
    "uint64_t largest",
    "*text == '-' || x > largest",
  ),
  read_float: float("read_float", "float", "strtof"),
  read_double: float("read_double", "double", "strtod"),
};
