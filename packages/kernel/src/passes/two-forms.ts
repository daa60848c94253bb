/**
 * Rows of sums and products of f32 in two forms, for devices that flush subnormal numbers: by the device's own operations, and again by functions
 * where a value is so small that those may be wrong. One branch for all of them takes less than one for each. Few values are tested: bounds of
 * magnitudes tell which results cannot be subnormal if those are large.
 */

import type { Names } from "@groupwise/ir/base/names.js";
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import type { Expr, VarExpr } from "../language/expr.ts";
import { TRAITS } from "../language/intrinsics.ts";
import { bool, isSimple, lt } from "../language/make-expr.ts";
import { mapParts, partsOf } from "../language/map-expr.ts";
import type { LetStmt, Stmt } from "../language/stmt.ts";
import { allExprs, blockOr, mapBlocks, mapStmt } from "../language/walk.ts";
import {
  LEAST_OF_PRODUCTS,
  LEAST_OF_SUMS,
  sizeOfPower,
  sizesOf,
  smallestOf,
} from "../library/types/small.ts";
import { isFlushed } from "../library/types/subnormal-names.ts";
import { GUARD_NAMES } from "./guards/guard-rounding.ts";

/** Fewer operations take no longer than accesses of memory. */
const LEAST_OPERATIONS = 16;
/** A number that is not 0 and a multiple of it is normal, even if a device rounds down to the next power of two. */
const LEAST_UNIT = -125;
const DIGITS = 23;

/** Of a float that is not 0: log2 of the least magnitude, and of a number of which it is a multiple. */
interface Bounds {
  readonly least: number;
  readonly unit: number;
}
/** Of zeros, infinities and NaN, whose sums and products no device changes. */
const ZERO: Bounds = { least: Number.POSITIVE_INFINITY, unit: Number.POSITIVE_INFINITY };
const atLeast = (least: number): Bounds => ({ least, unit: least - DIGITS });
const either = (a: Bounds, b: Bounds): Bounds => ({
  least: Math.min(a.least, b.least),
  unit: Math.min(a.unit, b.unit),
});

type Operation = Extract<Expr, { kind: "binary" }>;
const isOperation = (e: Expr): e is Operation =>
  e.kind === "binary" && e.type === "f32" && isFlushed(e.op) && !e.normal && e.width === undefined;
const some = (e: Expr, holds: (e: Expr) => boolean): boolean =>
  holds(e) || partsOf(e).some((part) => some(part, holds));
const keyOf = (e: Expr): string | undefined =>
  e.kind === "var" ? e.name : e.kind === "part" ? `${e.of} ${e.index}` : undefined;

/** Values that depend on one another, by sums and products. */
interface Row {
  readonly lets: readonly LetStmt[];
  /** The values whose sizes tell that no operand and no result is subnormal. */
  readonly tested: readonly Expr[];
}

/** The values with names for those that are tested; undefined if there are operations that no test makes right. */
function withBounds(lets: readonly LetStmt[], least: number, names: Names): Row | undefined {
  const known = new Map<string, Bounds | undefined>();
  const tested = new Map<string, Expr>();
  const done: LetStmt[] = [];
  let isRight = true;
  const test = (e: Expr): Expr => {
    if (e.kind === "const") isRight = false;
    let value = e;
    if (keyOf(e) === undefined) {
      value = { kind: "var", name: names.fresh("factor"), type: e.type };
      done.push({ kind: "let", name: value.name, value: e });
    }
    known.set(keyOf(value) as string, atLeast(least));
    tested.set(keyOf(value) as string, value);
    return value;
  };
  const boundsOf = (e: Expr): Bounds | undefined => {
    switch (e.kind) {
      case "const": {
        const value = Math.abs(Number(decodeLiteral(e.type, e.value)));
        if (!(value > 0 && value < Number.POSITIVE_INFINITY)) return ZERO;
        const least = Math.floor(Math.log2(value));
        let unit = least;
        while (!Number.isInteger(value / 2 ** unit)) unit--;
        return { least, unit };
      }
      case "var":
      case "part":
        return known.get(keyOf(e) as string);
      case "unary":
        return boundsOf(e.of);
      case "select": {
        const [a, b] = [boundsOf(e.then), boundsOf(e.otherwise)];
        return a && b && either(a, b);
      }
      case "call":
        return GUARD_NAMES.has(e.fn) ? boundsOf(e.args[0] as Expr) : undefined;
      case "binary": {
        const [a, b] = isOperation(e) ? [boundsOf(e.left), boundsOf(e.right)] : [];
        if (!a || !b) return undefined;
        if (e.op === "mul") return atLeast(a.least + b.least);
        const unit = Math.min(a.unit, b.unit);
        return { least: unit, unit };
      }
      default:
        return undefined;
    }
  };
  const limited = (e: Expr, isEnough: (bounds: Bounds) => boolean): Expr => {
    const bounds = boundsOf(e);
    if (bounds && isEnough(bounds)) return e;
    return test(e);
  };
  const visit = (e: Expr): Expr => {
    const inner = mapParts(e, visit) as Operation;
    if (!isOperation(inner)) return inner;
    if (inner.op !== "mul") {
      const isEnough = ({ unit }: Bounds): boolean => unit >= LEAST_UNIT;
      return { ...inner, left: limited(inner.left, isEnough), right: limited(inner.right, isEnough) };
    }
    let [left, right] = [limited(inner.left, () => true), limited(inner.right, () => true)];
    const sum = (): number => (boundsOf(left) as Bounds).least + (boundsOf(right) as Bounds).least;
    const isLess = (): boolean => (boundsOf(left) as Bounds).least < (boundsOf(right) as Bounds).least;
    // Two that are tested are large enough.
    while (sum() < LEAST_UNIT)
      if (isLess()) left = test(left);
      else right = test(right);
    return { ...inner, left, right };
  };
  for (const stmt of lets) {
    const value = visit(stmt.value);
    known.set(stmt.name, boundsOf(value));
    done.push({ ...stmt, value });
  }
  return isRight ? { lets: done, tested: [...tested.values()] } : undefined;
}

/** Statements that depend on one another, each with those that it depends on. */
function rowsOf(lets: readonly LetStmt[]): readonly (readonly LetStmt[])[] {
  const rows = new Map<string, LetStmt[]>();
  for (const stmt of lets) {
    const own = [stmt];
    const before = new Set<LetStmt[]>();
    some(stmt.value, (e) => {
      const row = e.kind === "var" ? rows.get(e.name) : undefined;
      if (row) before.add(row);
      return false;
    });
    const [first = [], ...others] = before;
    for (const row of [...others, own]) {
      first.push(...row);
      for (const { name } of row) rows.set(name, first);
    }
  }
  const order = new Map(lets.map((stmt, i) => [stmt, i]));
  return [...new Set(rows.values())].map((row) =>
    row.toSorted((a, b) => (order.get(a) as number) - (order.get(b) as number)),
  );
}

/** Makes two forms of rows. */
export class TwoForms {
  private readonly names: Names;
  private readonly hasRoutines: boolean;

  /** @param names all of the kernel's @param hasRoutines whether a form may be a routine */
  constructor(names: Names, hasRoutines: boolean) {
    this.names = names;
    this.hasRoutines = hasRoutines;
  }

  /** The statements with their rows in two forms. */
  block = (stmts: readonly Stmt[]): readonly Stmt[] => {
    const done: Stmt[] = [];
    // Statements without effects since the last other one: those before the rows, the rows, and all in their order.
    let before: Stmt[] = [];
    let run: LetStmt[] = [];
    let all: Stmt[] = [];
    const computed = new Set<string>();
    const depends = (e: Expr): boolean =>
      some(e, (part) => isOperation(part) || (part.kind === "var" && computed.has(part.name)));
    const isComputed = (e: Expr): boolean => depends(e) && !some(e, ({ kind }) => kind === "load");
    for (const [at, stmt] of stmts.entries()) {
      const isLet = stmt.kind === "let" && !stmt.role;
      if (isLet && isComputed(stmt.value)) {
        run.push(stmt);
        all.push(stmt);
        computed.add(stmt.name);
        continue;
      }
      const isBefore = isLet || stmt.kind === "load-row" || stmt.kind === "comment";
      if (isBefore && !allExprs([stmt]).some(depends)) {
        before.push(stmt);
        all.push(stmt);
        continue;
      }
      const own: LetStmt[] = [];
      const named = (e: Expr): Expr => {
        if (isSimple(e) || !isComputed(e)) return e;
        const name = this.names.fresh("value");
        own.push({ kind: "let", name, value: e });
        return { kind: "var", name, type: e.type };
      };
      const isInPlace = TRAITS[stmt.kind].inPlace && stmt.kind !== "let";
      const short = isInPlace ? mapStmt(stmt, named, (inner) => inner) : stmt;
      const made = this.made([...run, ...own], [short, ...stmts.slice(at + 1)]);
      done.push(...(made ? [...before, ...made] : all), mapBlocks(made ? short : stmt, this.block));
      [before, run, all] = [[], [], []];
      computed.clear();
    }
    done.push(...all);
    return blockOr(stmts, done);
  };

  /** The values in two forms; undefined if that takes longer. @param rest the statements that read them */
  private made(lets: readonly LetStmt[], rest: readonly Stmt[]): readonly Stmt[] | undefined {
    const operations = allExprs(lets).filter(isOperation);
    if (operations.length < LEAST_OPERATIONS) return undefined;
    const least = operations.some(({ op }) => op === "mul") ? LEAST_OF_PRODUCTS : LEAST_OF_SUMS;
    const rows: Row[] = [];
    for (const one of rowsOf(lets)) {
      const row = withBounds(one, least, this.names);
      if (!row) return undefined;
      rows.push(row);
    }
    const tests = rows.reduce((sum, { tested }) => sum + tested.length, 0);
    if (tests > operations.length) return undefined;
    const read = new Set(allExprs(rest).flatMap((e) => (e.kind === "var" ? [e.name] : [])));
    const results = rows.map((row) => row.lets.filter(({ name }) => read.has(name)));
    const own = rows.map((row, i) => this.form(row, results[i] as LetStmt[], true));
    const again = rows.map((row, i) => this.form(row, results[i] as LetStmt[], false));
    const isSmall = lt(smallestOf(own.map(({ smallest }) => smallest)), sizeOfPower(least));
    const each = (use: (name: string, i: number, k: number) => Stmt): Stmt[] =>
      results.flatMap((list, i) => list.map(({ name }, k) => use(name, i, k)));
    return [
      ...own.flatMap(({ stmts }) => stmts),
      ...each((name, i, k) => ({ kind: "var", name, value: own[i]?.results[k] as Expr })),
      {
        kind: "if",
        condition: isSmall,
        then: [
          ...again.flatMap(({ stmts }) => stmts),
          ...each((name, i, k) => ({ kind: "assign", name, value: again[i]?.results[k] as Expr })),
        ],
        otherwise: [],
      },
    ];
  }

  /** One form of a row. @param isOwn whether it is that of the device's own operations */
  private form({ lets, tested }: Row, read: readonly LetStmt[], isOwn: boolean) {
    const { names, hasRoutines } = this;
    const stmts: Stmt[] = [];
    const renamed = new Map<string, Expr>();
    const add = (hint: string, value: Expr, role?: LetStmt["role"]): VarExpr => {
      const name = names.fresh(hint);
      stmts.push({ kind: "let", name, value, ...(role && { role }) });
      return { kind: "var", name, type: value.type };
    };
    const argument = (hint: string, value: Expr): Expr =>
      hasRoutines ? add(hint, value, "argument") : value;
    // Routines do not read the parts of rows.
    for (const e of allExprs(lets))
      if (e.kind === "part" && !renamed.has(keyOf(e) as string))
        renamed.set(keyOf(e) as string, argument("x", e));
    const normal = argument("normal", bool(isOwn));
    if (hasRoutines) stmts.push({ kind: "routine", title: "values_of_item", returns: "values", doc: DOC });
    const change = (e: Expr): Expr => {
      const inner = renamed.get(keyOf(e) as string) ?? mapParts(e, change);
      if (!isOperation(inner)) return inner;
      return normal.kind === "var" ? { ...inner, normal } : isOwn ? { ...inner, normal: true } : inner;
    };
    for (const { name, value } of lets) renamed.set(name, add(name, change(value)));
    const result = (hint: string, value: Expr): Expr => (hasRoutines ? add(hint, value, "result") : value);
    const results = read.map(({ name }) => result("value", renamed.get(name) as Expr));
    const smallest = result("smallest", smallestOf(sizesOf(tested.map(change))));
    if (hasRoutines) stmts.push({ kind: "results", values: [...results, smallest] });
    return { stmts, results, smallest };
  }
}
const DOC =
  "Values of an item, and the size of the smallest value but zero, by which subnormal numbers are found.";
