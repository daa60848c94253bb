/** Constants in OpenCL C, with exactly their bits. */
import type { ConstExpr } from "@groupwise/core/kernel";
import {
  decodeLiteral,
  type FloatScalar,
  type IntegerScalar,
  isFloat,
  SCALARS,
  wordOf,
} from "@groupwise/core/target";

/** A constant of its type. */
export function literal({ type, value }: ConstExpr): string {
  const decoded = decodeLiteral(type, value);
  if (type === "bool") return value ? "true" : "false";
  return isFloat(type)
    ? FLOAT_LITERALS[type](decoded as number)
    : integer(type as IntegerScalar, BigInt(decoded as number | bigint));
}

const SUFFIX: Readonly<Record<IntegerScalar, string>> = { i32: "", u32: "u", i64: "L", u64: "UL" };
function integer(type: IntegerScalar, value: bigint): string {
  const suffix = SUFFIX[type];
  // The digits of the least integer are not a literal of the type.
  if (value < 0n && value === BigInt(SCALARS[type].lowest)) return `(${value + 1n}${suffix} - 1${suffix})`;
  return value < 0n ? `(${value}${suffix})` : `${value}${suffix}`;
}

/** The digits that JavaScript prints are read back as the same double. */
function doubleLiteral(x: number): string {
  const hex = (word: 0 | 1): string => wordOf("f64", x, word).toString(16).padStart(8, "0");
  if (!Number.isFinite(x)) return `as_double(0x${hex(1)}${hex(0)}UL)`;
  const text = Object.is(x, -0) ? "-0" : String(x);
  const whole = /[.e]/.test(text) ? text : `${text}.0`;
  return whole.startsWith("-") ? `(${whole})` : whole;
}

const halfLiteral = (x: number): string =>
  Number.isFinite(x)
    ? `((half)${floatLiteral(x)})`
    : `as_half((ushort)0x${wordOf("f16", x, 0).toString(16)}u)`;

/** The shortest decimal that denotes exactly this float; bits if there is none. */
export function floatLiteral(x: number): string {
  if (!Number.isFinite(x)) {
    const bits = Number.isNaN(x) ? "0x7fc00000u" : x > 0 ? "0x7f800000u" : "0xff800000u";
    return `as_float(${bits})`;
  }
  const near = (text: string): boolean =>
    Math.fround(Number(text)) === x && Math.abs(Number(text) - x) <= Math.abs(x) * 2 ** -26;
  let text = String(x);
  for (let digits = 1; digits <= 9; digits++) {
    const shorter = String(Number(x.toPrecision(digits)));
    if (near(shorter)) {
      text = shorter;
      break;
    }
  }
  const suffix = /[.e]/.test(text) ? "f" : ".0f";
  if (Object.is(x, -0)) return "(-0.0f)";
  return x < 0 ? `(${text}${suffix})` : `${text}${suffix}`;
}

const FLOAT_LITERALS: Readonly<Record<FloatScalar, (x: number) => string>> = {
  f16: halfLiteral,
  f32: floatLiteral,
  f64: doubleLiteral,
};
