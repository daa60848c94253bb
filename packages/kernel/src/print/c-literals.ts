/** Constants in languages that write numbers as C does. */
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import { type IntegerScalar, isFloat, SCALARS } from "@groupwise/ir/tables/scalar.js";
import type { ConstExpr } from "../language/expr.ts";

/** The floats of such languages; halves are emulated with them. */
export type FloatKind = "f32" | "f64";

/** What such languages spell in different ways. */
export interface CLiterals {
  /** Digits with what gives them the type. */
  readonly written: Readonly<Record<IntegerScalar, (digits: string) => string>>;
  /** The least integer, whose digits are not a constant of the type. */
  least(type: IntegerScalar): string;
  /** A NaN or an infinity. */
  special(type: FloatKind, x: number): string;
}

function integer(type: IntegerScalar, value: bigint, { written, least }: CLiterals): string {
  if (value < 0n && value === BigInt(SCALARS[type].lowest)) return least(type);
  return value < 0n ? `(-${written[type](String(-value))})` : written[type](String(value));
}

/** Decimal digits that are read back as the same float: they are nearer to it than half of the way to a neighbour. */
function shortest(x: number): string {
  const digits = Array.from({ length: 9 }, (_, i) => Number(x.toPrecision(i + 1)));
  return String(digits.find((near) => Math.abs(near - x) <= Math.abs(x) * 2 ** -26) ?? x);
}

const FLOATS: Readonly<Record<FloatKind, { digits(x: number): string; suffix: string }>> = {
  f32: { digits: shortest, suffix: "f" },
  // The digits of a number as text are read back as the same double.
  f64: { digits: String, suffix: "" },
};
function float(type: FloatKind, x: number, { special }: CLiterals): string {
  if (!Number.isFinite(x)) return special(type, x);
  const { digits, suffix } = FLOATS[type];
  const isNegative = x < 0 || Object.is(x, -0);
  const text = digits(Math.abs(x));
  const whole = `${isNegative ? "-" : ""}${/[.e]/.test(text) ? text : `${text}.0`}${suffix}`;
  return isNegative ? `(${whole})` : whole;
}

/** A constant of its type. */
export function cLiteral({ type, value }: Pick<ConstExpr, "type" | "value">, spell: CLiterals): string {
  const decoded = decodeLiteral(type, value);
  if (type === "bool") return decoded ? "true" : "false";
  return isFloat(type)
    ? float(type as FloatKind, decoded as number, spell)
    : integer(type as IntegerScalar, BigInt(decoded as number | bigint), spell);
}
