/** What a printer knows of the values that names have at a statement: bounds of words, and which values are patterns of bits. */
import type { BinaryOp } from "@groupwise/ir/tables/expr-op.js";
import { isFloat } from "@groupwise/ir/tables/scalar.js";
import type { BinaryExpr, ConstExpr, Expr } from "../language/expr.ts";
import { EVERYTHING, type Interval, intervalOf, type KnownIntervals } from "../language/interval.ts";
import type { Fn } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { declares } from "../language/walk.ts";
import { namedLiteral } from "./constants.ts";

/** Names are those of one kernel or function; each declaration replaces what was known of its name. */
export class PrintedFacts implements KnownIntervals {
  /** Not known here. */
  readonly workGroupSize: number = EVERYTHING[1];
  private readonly bounds = new Map<string, Interval>();
  /** By name: whether its value is a pattern of bits. */
  private readonly patterns = new Map<string, boolean>();

  variable(name: string): Interval {
    return this.bounds.get(name) ?? EVERYTHING;
  }

  /** The least and the greatest value of a u32. */
  boundsOf(e: Expr): Interval {
    return intervalOf(e, this);
  }

  /** Whether a mask keeps every bit that a value can have. */
  keepsAll(value: Expr, mask: Expr): boolean {
    const [least, bits] = this.boundsOf(mask);
    return least === bits && Number.isInteger(Math.log2(bits + 1)) && this.boundsOf(value)[1] <= bits;
  }

  /** The names of parameters are those of the routines of core: `bits`, `a_bits`. */
  enter({ params }: Fn): void {
    this.bounds.clear();
    for (const { name } of params) this.patterns.set(name, /(?:^|_)bits$/.test(name));
  }

  /** Records the name that a statement declares. */
  declare(stmt: Stmt): void {
    if (!declares(stmt)) return;
    const { name } = stmt;
    this.patterns.set(name, (stmt.kind === "let" || stmt.kind === "var") && this.isPattern(stmt.value));
    this.bounds.set(name, this.boundsAt(stmt));
  }

  private boundsAt(stmt: Stmt): Interval {
    if (stmt.kind === "let") return this.boundsOf(stmt.value);
    if (stmt.kind !== "for") return EVERYTHING;
    const [low] = this.boundsOf(stmt.from);
    return [low, Math.max(low, this.boundsOf(stmt.below)[1] - 1)];
  }

  /** Whether a constant operand is one of bits: a mask, or a number that is compared with or added to a pattern. */
  isBits(op: BinaryOp, other: Expr): boolean {
    return MASKS.has(op) || (!COUNTS.has(op) && this.isPattern(other));
  }

  isPattern(e: Expr): boolean {
    switch (e.kind) {
      case "const":
        return isPatternConst(e);
      case "var":
        return this.patterns.get(e.name) ?? false;
      case "bitcast":
      case "word":
        return isFloat(e.of.type);
      case "select":
        return this.isPattern(e.then) || this.isPattern(e.otherwise);
      case "binary":
        if (e.type === "bool" || isFloat(e.type)) return false;
        return isSignMask(e) || this.isPattern(e.left) || this.isPattern(e.right);
      default:
        return false;
    }
  }
}

/** Infinity, NaN, a sign, all ones: words that are too large for counts. */
export const isPatternConst = ({ type, value }: ConstExpr): boolean =>
  type === "u32" && Number(value) >= 0x7f800000;

/** The sign, or all other bits, of a word of a float. */
const isSignMask = ({ op, right }: BinaryExpr): boolean =>
  op === "and" && right.kind === "const" && Number(right.value) >= 0x7fffffff;
const MASKS: ReadonlySet<BinaryOp> = new Set<BinaryOp>(["and", "or", "xor", "shl", "shr"]);
/** They count, even if an operand is a pattern. */
const COUNTS: ReadonlySet<BinaryOp> = new Set<BinaryOp>(["mul", "div", "rem"]);
/** Smaller masks select a few bits, and smaller numbers are counts of bits. */
const LEAST_BITS = 255;

/** The text of a constant, in hexadecimal if it is of bits. @param isNamed whether it may be a constant of the module */
export function ofBits(e: ConstExpr, text: string, isNamed: boolean): string {
  if (isFloat(e.type) || Number(e.value) < LEAST_BITS) return text;
  return text.replace(/^(?!0x)(\d+)(\w*)/, (_, digits: string, suffix: string) => {
    const hex = BigInt(digits).toString(16);
    const literal = `0x${hex.length > 4 ? hex.padStart(8, "0") : hex}${suffix}`;
    return isNamed ? namedLiteral(e, literal) : literal;
  });
}
