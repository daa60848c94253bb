/**
 * Hides floats that can only be the least one, 2^-149, and 0 from compilers that take a choice between the bits 1 and 0 for a truth value, and then drop
 * conversions of the float. Where the form of an expression allows no other values, its bits get those of a number that such compilers do not know: 0.
 */
import { bitcastValue, castValue } from "@groupwise/ir/tables/convert-value.js";
import { BINARY, UNARY } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral, encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { isFloat, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
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
    allExprs(one.body).some((e) => ofHalf(e) || isMade(e)) ? { ...one, body: inBlock(one.body, new Forms()) } : one;
  return { ...module, functions: module.functions.map(inside), kernels: module.kernels.map(inside) };
}

function inBlock(stmts: readonly Stmt[], outer: Forms): readonly Stmt[] {
  const forms = new Forms(outer);
  const hide = (e: Expr): Expr => {
    const inner = mapParts(e, hide);
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

/** What makes a float of something else; a choice between doubles is none between words. */
type Made = Extract<Expr, { kind: "const" | "cast" | "bitcast" }> & { readonly type: Long };
const isMade = (e: Expr): e is Made =>
  e.width === undefined &&
  (e.type === "f32"
    ? e.kind === "const" || e.kind === "bitcast" || (e.kind === "cast" && isFloat(e.of.type))
    : e.type === "f64" && e.kind === "bitcast");
const ofHalf = (e: Expr): e is CallExpr => e.kind === "call" && e.fn === HALF_NAMES.ofBits;

const withNoBits = (bits: Expr): Expr => binary("or", bits, cast(bits.type, call(NO_BITS.name, "u32", [])));
function hidden(e: Expr): Expr {
  if (ofHalf(e)) return { ...e, args: e.args.map(withNoBits) };
  const [, type] = LEAST[e.type as Long];
  return bitcast(e.type, withNoBits(fold(bitcast(type, e.kind === "bitcast" ? e.of : e))));
}

/** The values that an expression can have; undefined if they may be many. */
type Values = readonly ScalarValue[] | undefined;
const MOST = 16;
function few(type: Scalar, values: readonly ScalarValue[]): Values {
  const found = new Map(values.map((value) => [encodeLiteral(type, value), value]));
  return found.size <= MOST ? [...found.values()] : undefined;
}

/** What the forms of values tell, of those that the statements so far name too. */
class Forms implements KnownIntervals {
  /** Not known here. */
  readonly workGroupSize: number = EVERYTHING[1];
  private readonly names: Map<string, { readonly values: Values; readonly interval: Interval }>;

  constructor(outer?: Forms) {
    this.names = new Map(outer?.names);
  }

  declare(name: string, value: Expr): void {
    this.names.set(name, { values: this.valuesOf(value), interval: intervalOf(value, this) });
  }

  variable(name: string): Interval {
    return this.names.get(name)?.interval ?? EVERYTHING;
  }

  /** Whether an expression makes a float that is the least one, or one of that and 0, but for signs. */
  isLeast(e: Expr): boolean {
    const only = (least: number, magnitudes: readonly number[] = []): boolean =>
      magnitudes.includes(least) && magnitudes.every((one) => one === 0 || one === least);
    if (ofHalf(e)) return only(1, this.valuesOf(e.args[0] as Expr)?.map((bits) => Number(bits) & 0x7fff));
    return isMade(e) && only(LEAST[e.type][0], this.valuesOf(e)?.map((x) => Math.abs(x as number)));
  }

  private valuesOf(e: Expr): Values {
    if (e.type === "bool") return [false, true];
    const values = this.byParts(e);
    if (values || e.type !== "u32") return values;
    const [least, most] = intervalOf(e, this);
    return most - least <= 1 ? few("u32", [least, most]) : undefined;
  }

  private byParts(e: Expr): Values {
    const image = (of: Expr, change: (value: ScalarValue) => ScalarValue): Values => {
      const values = this.valuesOf(of);
      return values && few(e.type, values.map(change));
    };
    switch (e.kind) {
      case "const":
        return [decodeLiteral(e.type, e.value) as ScalarValue];
      case "var":
        return this.names.get(e.name)?.values;
      case "unary":
        return image(e.of, (value) => UNARY[e.op].apply(e.type, value));
      case "cast":
        return image(e.of, (value) => castValue(e.of.type, e.type, value));
      case "bitcast":
        return image(e.of, (value) => bitcastValue(e.of.type, e.type, value));
      case "binary":
      case "select": {
        const [a, b] = e.kind === "binary" ? [e.left, e.right] : [e.then, e.otherwise];
        const [left, right] = [this.valuesOf(a), this.valuesOf(b)];
        if (!left || !right) return undefined;
        if (e.kind === "select") return few(e.type, [...left, ...right]);
        const { apply } = BINARY[e.op];
        return few(
          e.type,
          left.flatMap((x) => right.map((y) => apply(a.type, x, y))),
        );
      }
      default:
        return undefined;
    }
  }
}
