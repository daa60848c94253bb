/**
 * Hides floats from compilers that take a choice between two of them for a truth value: the least one, 2^-149, and 0, of which they drop conversions, and -1
 * and -0, of which they make an integer that has no sign of 0. Where the form of an expression allows no other values, the bits of the float, or of the zeros
 * of which -1 and -0 are made, get those of a number that such compilers do not know: 0.
 */
import { bitcastValue, castValue } from "@groupwise/ir/tables/convert-value.js";
import { BINARY, UNARY } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral, encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { isFloat, SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { CallExpr, Expr } from "../language/expr.ts";
import { fold } from "../language/fold-expr.ts";
import { EVERYTHING, type Interval, intervalOf, type KnownIntervals } from "../language/interval.ts";
import { binary, bitcast, call, cast } from "../language/make-expr.ts";
import { each, mapParts } from "../language/map-expr.ts";
import type { Fn, Module } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { allExprs, mapStmt } from "../language/walk.ts";
import { HALF_NAMES } from "../library/types/half-names.ts";
import type { Around } from "./base/pass.ts";

const NO_BITS: Fn = {
  name: "no_bits",
  doc: "0, which the compiler does not know.",
  params: [],
  returns: "u32",
  width: 1,
  own: true,
  body: [],
};
/** The target spells it. */
export const HIDING_FUNCTIONS: readonly Fn[] = [NO_BITS];

/** The module without such floats that its compiler knows. */
export function hideLeastFloats(module: Module, { capabilities }: Around): Module {
  if (!capabilities.expand.includes("least-floats")) return module;
  const inside = <B extends { readonly body: readonly Stmt[] }>(one: B): B =>
    allExprs(one.body).some((e) => ofHalf(e) || isMade(e))
      ? { ...one, body: inBlock(one.body, new Forms()) }
      : one;
  return { ...module, functions: module.functions.map(inside), kernels: module.kernels.map(inside) };
}

function inBlock(stmts: readonly Stmt[], outer: Forms): readonly Stmt[] {
  const forms = new Forms(outer);
  const hide = (e: Expr): Expr => {
    const isNegative = forms.isMinusOneOrZero(e);
    const inner = mapParts(e, (part) =>
      isNegative && forms.isItsZero(part) ? hidden(hide(part)) : hide(part),
    );
    return forms.isLeast(e) ? hidden(inner) : inner;
  };
  return each(stmts, (stmt) => {
    const made = mapStmt(stmt, hide, (inner) => inBlock(inner, forms));
    if (stmt.kind === "let") forms.declare(stmt.name, stmt.value);
    return made;
  });
}

/** By type: the least number above 0, and the type of its bits. */
const LEAST = { f32: [2 ** -149, "u32"], f64: [2 ** -1074, "u64"] } as const;
type Long = keyof typeof LEAST;

/** What makes a float of something else, and constants. */
type Made = Extract<Expr, { kind: "const" | "cast" | "bitcast" }> & { readonly type: Long };
const isMade = (e: Expr): e is Made =>
  Object.hasOwn(LEAST, e.type) &&
  (e.kind === "const" || e.kind === "bitcast" || (e.kind === "cast" && isFloat(e.of.type)));
const ofHalf = (e: Expr): e is CallExpr => e.kind === "call" && e.fn === HALF_NAMES.ofBits;

const withNoBits = (bits: Expr): Expr => binary("or", bits, cast(bits.type, call(NO_BITS.name, "u32", [])));
function hidden(e: Expr): Expr {
  if (ofHalf(e)) return { ...e, args: e.args.map(withNoBits) };
  const [, type] = LEAST[e.type as Long];
  return bitcast(e.type, withNoBits(fold(bitcast(type, e.kind === "bitcast" ? e.of : e))));
}

/** What the form of a value tells of it. */
interface Known {
  /** All that it can be; undefined if they may be many. */
  readonly values?: readonly ScalarValue[] | undefined;
  /** Of an integer. */
  readonly interval: Interval;
}
const MOST = 16;
function few(type: Scalar, values: readonly ScalarValue[]): Known["values"] {
  const found = new Map(values.map((value) => [encodeLiteral(type, value), value]));
  return found.size <= MOST ? [...found.values()] : undefined;
}
const CONDITION: Known = { values: [false, true], interval: [0, 1] };

/** What is known of expressions after some statements. */
class Forms implements KnownIntervals {
  /** Not known here. */
  readonly workGroupSize: number = EVERYTHING[1];
  private readonly names: Map<string, Known>;
  private readonly found = new Map<Expr, Known>();

  constructor(outer?: Forms) {
    this.names = new Map(outer?.names);
  }

  declare(name: string, value: Expr): void {
    this.names.set(name, this.knownOf(value));
  }

  variable(name: string): Interval {
    return this.names.get(name)?.interval ?? EVERYTHING;
  }

  /** Whether an expression makes a float that is the least one, or one of that and 0, but for signs. */
  isLeast(e: Expr): boolean {
    const only = (least: number, magnitudes: readonly number[] = []): boolean =>
      magnitudes.includes(least) && magnitudes.every((one) => one === 0 || one === least);
    if (ofHalf(e))
      return only(
        1,
        this.knownOf(e.args[0] as Expr).values?.map((bits) => Number(bits) & 0x7fff),
      );
    return (
      isMade(e) &&
      only(
        LEAST[e.type][0],
        this.knownOf(e).values?.map((x) => Math.abs(x as number)),
      )
    );
  }

  /** Whether an expression can only be -1 and -0. */
  isMinusOneOrZero(e: Expr): boolean {
    const values = (e.type === "f32" && this.knownOf(e).values) || [];
    return values.length === 2 && values.includes(-1) && values.some((x) => Object.is(x, -0));
  }

  /** Whether the compiler can make such an expression of this part's zero. */
  isItsZero(part: Expr): boolean {
    return !this.isMinusOneOrZero(part) && this.knownOf(part).values?.includes(0) === true;
  }

  private knownOf(e: Expr): Known {
    const known = this.found.get(e) ?? this.find(e);
    this.found.set(e, known);
    return known;
  }

  private find(e: Expr): Known {
    if (e.type === "bool") return CONDITION;
    const named = e.kind === "var" && this.names.get(e.name);
    if (named) return named;
    const values = this.valuesOf(e);
    const numbers = values?.map(Number);
    const interval: Interval = numbers ? [Math.min(...numbers), Math.max(...numbers)] : this.intervalOf(e);
    if (values || isFloat(e.type) || interval[1] - interval[0] > 1) return { values, interval };
    return { values: few(e.type, interval.map(SCALARS[e.type].whole)), interval };
  }

  /** Of other integers than u32, minima and maxima alone have one. */
  private intervalOf(e: Expr): Interval {
    if (e.type === "u32") return intervalOf(e, this);
    if (e.kind === "binary" && (e.op === "min" || e.op === "max")) {
      const [a, b] = [this.knownOf(e.left).interval, this.knownOf(e.right).interval];
      const choose = Math[e.op];
      return [choose(a[0], b[0]), choose(a[1], b[1])];
    }
    const { lowest, highest } = SCALARS[e.type];
    return [Number(lowest), Number(highest)];
  }

  private valuesOf(e: Expr): Known["values"] {
    const image = (of: Expr, change: (value: ScalarValue) => ScalarValue): Known["values"] => {
      const { values } = this.knownOf(of);
      return values && few(e.type, values.map(change));
    };
    switch (e.kind) {
      case "const":
        return [decodeLiteral(e.type, e.value) as ScalarValue];
      case "unary":
        return image(e.of, (value) => UNARY[e.op].apply(e.type, value));
      case "cast":
        return image(e.of, (value) => castValue(e.of.type, e.type, value));
      case "bitcast":
        return image(e.of, (value) => bitcastValue(e.of.type, e.type, value));
      case "select": {
        const [a, b] = [this.knownOf(e.then).values, this.knownOf(e.otherwise).values];
        return a && b && few(e.type, [...a, ...b]);
      }
      case "binary": {
        const b = this.knownOf(e.right).values;
        const { apply } = BINARY[e.op];
        const all = b && this.knownOf(e.left).values?.flatMap((x) => b.map((y) => apply(e.left.type, x, y)));
        return all && few(e.type, all);
      }
      default:
        return undefined;
    }
  }
}
