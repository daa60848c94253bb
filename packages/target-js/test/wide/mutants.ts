/** The emulation's functions with one small change each, which the comparisons must notice. */
import { type Expr, type Fn, mapParts, mapStmt, type Stmt } from "@groupwise/core/kernel";

/** A function with one change; `what` says which kind of change, `where` at which of its expressions. */
export interface Mutant {
  readonly what: string;
  readonly where: string;
  readonly fn: Fn;
}

const OTHER: Readonly<Record<string, string>> = {
  add: "sub",
  sub: "add",
  and: "or",
  or: "and",
  shl: "shr",
  shr: "shl",
  lt: "le",
  le: "lt",
  gt: "ge",
  ge: "gt",
  min: "max",
  max: "min",
};

/** What one expression could have been by mistake. */
function changesOf(e: Expr): (readonly [string, Expr])[] {
  if (e.kind === "const" && typeof e.value === "number") {
    const { value } = e;
    // Masks and NaNs apart by one would differ for one operand among milliards, or in a payload.
    if (value > 64) return [];
    return [
      [`${value} + 1`, { ...e, value: (value + 1) % 2 ** 32 }],
      ...(value > 0 ? [[`${value} - 1`, { ...e, value: value - 1 }] as const] : []),
    ];
  }
  if (e.kind === "binary") {
    const changes: (readonly [string, Expr])[] = [[`left of ${e.op} alone`, e.left]];
    if (e.type !== e.left.type) changes.pop();
    const op = OTHER[e.op] as typeof e.op | undefined;
    if (op) changes.push([`${op} for ${e.op}`, { ...e, op }]);
    if (e.op === "sub") changes.push(["operands of sub swapped", { ...e, left: e.right, right: e.left }]);
    return changes;
  }
  if (e.kind === "select") {
    return [
      ["choices swapped", { ...e, then: e.otherwise, otherwise: e.then }],
      ["the first choice always", e.then],
      ["the second choice always", e.otherwise],
    ];
  }
  if (e.kind === "part") return [["another result", { ...e, index: e.index === 0 ? 1 : 0 }]];
  return [];
}

const atMost64 = (left: Expr): Expr => ({
  kind: "binary",
  op: "min",
  left,
  right: { kind: "const", type: "u32", value: 64 },
  type: "u32",
});

/** Every change of every expression of the function, but for bounds of loops: these get 64, so that they end soon. */
export function mutantsOf(fn: Fn): Mutant[] {
  const mutants: Mutant[] = [];
  let seen = 0;
  // Visits all expressions in a fixed order, and replaces what `at` gives at the one of that number.
  const rewrite = (at: (e: Expr, number: number) => Expr): Fn => {
    seen = 0;
    const expr = (e: Expr): Expr => {
      const changed = at(e, seen++);
      return changed === e ? mapParts(e, expr) : changed;
    };
    const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
      stmts.map((stmt) =>
        stmt.kind === "for"
          ? { ...stmt, below: atMost64(stmt.below), body: block(stmt.body) }
          : mapStmt(stmt, expr, block),
      );
    return { ...fn, body: block(fn.body) };
  };
  const all: Expr[] = [];
  rewrite((e) => {
    all.push(e);
    return e;
  });
  for (const [number, e] of all.entries()) {
    for (const [what, changed] of changesOf(e)) {
      mutants.push({
        what: `${fn.name}: ${what}`,
        where: `expression ${number}`,
        fn: rewrite((x, i) => (i === number ? changed : x)),
      });
    }
  }
  return mutants;
}
