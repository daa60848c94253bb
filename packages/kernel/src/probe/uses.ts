/** What a module takes from its language as exact: rows of the probe, each in the form that capabilities give it. */

import { isFloat } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "../capabilities/capabilities.ts";
import type { BinaryExpr, Expr } from "../language/expr.ts";
import type { Module } from "../language/module.ts";
import type { Stmt } from "../language/stmt.ts";
import { allExprs, walk } from "../language/walk.ts";
import { isNormal } from "./operands.ts";
import { isOn, type Remedy, withoutRemedies, withRemedies } from "./remedies.ts";
import { atomicKey, type ProbeRow, probeRows } from "./rows.ts";

/** A row, and the remedies that are on. */
export interface Assumption {
  /** `i32 rem`, or `i32 rem by int-divide`. */
  readonly id: string;
  readonly row: ProbeRow;
  readonly by: readonly Remedy[];
}

/** Divided by a constant, which is neither 0 nor -1. */
const isOver = ({ op, type, right }: BinaryExpr): boolean =>
  (op === "div" || op === "rem") && !isFloat(type) && right.kind === "const";

function keyOf(e: Expr): string | undefined {
  switch (e.kind) {
    case "unary":
      return `${e.of.type} ${e.op}`;
    case "binary":
      return isOver(e) ? `${e.left.type} ${e.op} over` : `${e.left.type} ${e.op}`;
    case "cast":
      return `${e.of.type} to ${e.type}`;
    case "bitcast":
      return `${e.of.type} as ${e.type}`;
    case "select":
      return `${e.type} select`;
    case "const":
      return isFloat(e.type) && (typeof e.value === "string" || !isNormal(e.type, e.value))
        ? `${e.type} constant`
        : undefined;
    default:
      return undefined;
  }
}
function keyOfAtomic(stmt: Stmt): string | undefined {
  switch (stmt.kind) {
    case "atomic":
      return atomicKey(stmt.value.type, stmt.op, stmt.space);
    case "atomic-add":
      return atomicKey("u32", "fetch-add", stmt.space);
    case "atomic-load":
      return atomicKey("u32", "load", "storage");
    case "atomic-load-row":
      return atomicKey("u32", `load of ${stmt.width}`, "storage");
    case "atomic-store":
      return atomicKey("u32", "store", "storage");
    default:
      return undefined;
  }
}
function addKeys(stmts: readonly Stmt[], keys: Set<string>): void {
  for (const e of allExprs(stmts)) {
    const key = keyOf(e);
    if (key === undefined) continue;
    keys.add(key);
    // A sum or a product whose operands or result may be subnormal.
    if (e.kind === "binary" && isFloat(e.type) && e.normal !== true) keys.add(`${key} of subnormals`);
  }
  for (const stmt of walk(stmts)) {
    const key = keyOfAtomic(stmt);
    if (key !== undefined) keys.add(key);
  }
}

const byKey = new Map<string, readonly ProbeRow[]>();
function rowsFor(key: string): readonly ProbeRow[] {
  if (byKey.size === 0)
    for (const row of probeRows())
      for (const one of row.keys) byKey.set(one, [...(byKey.get(one) ?? []), row]);
  return byKey.get(key) ?? [];
}

/** A row in the form that capabilities give it. */
export function assumptionOf(row: ProbeRow, capabilities: Capabilities): Assumption {
  return assumptionBy(row, (remedy) => isOn(remedy, capabilities));
}
function assumptionBy(row: ProbeRow, isBy: (remedy: Remedy) => boolean): Assumption {
  const by = row.remedies.filter(isBy);
  return { id: by.length ? `${row.id} by ${by.join(" and ")}` : row.id, row, by };
}

/** Whether kernels compute with the types of a row themselves, and whether its results are asked for. */
export const isAsked = ({ type, result, id, unless }: ProbeRow, capabilities: Capabilities): boolean =>
  [type, result].every((one) => capabilities.scalars[one] === "native") &&
  !(unless && isOn(unless, capabilities)) &&
  !(capabilities.subnormals === "flush" && id.endsWith(" of subnormals"));

/** By id, what a module relies on. */
export function assumedBy(
  module: Pick<Module, "kernels" | "functions">,
  capabilities: Capabilities,
): readonly string[] {
  const keys = new Set(module.functions.flatMap(({ own, name }) => (own ? [name] : [])));
  for (const { body } of [...module.kernels, ...module.functions]) addKeys(body, keys);
  const rows = new Set([...keys].flatMap(rowsFor));
  return [...rows]
    .filter((row) => isAsked(row, capabilities))
    .map((row) => assumptionOf(row, capabilities).id)
    .sort();
}

/** The row and the remedies of an id; undefined for one that this version does not know. */
export function assumptionNamed(id: string): Assumption | undefined {
  const [name = "", by] = id.split(" by ");
  const row = rowNamed(name);
  const names = by?.split(" and ") ?? [];
  const found = row && assumptionBy(row, (remedy) => names.includes(remedy));
  return found?.id === id ? found : undefined;
}
const named = new Map<string, ProbeRow>();
function rowNamed(id: string): ProbeRow | undefined {
  if (named.size === 0) for (const row of probeRows()) named.set(row.id, row);
  return named.get(id);
}

/** The capabilities that give rows their forms, and no other remedy of these rows. */
export function inForm(capabilities: Capabilities, assumptions: readonly Assumption[]): Capabilities {
  const wanted = assumptions.flatMap(({ by }) => by);
  const others = assumptions.flatMap(({ row }) => row.remedies).filter((one) => !wanted.includes(one));
  return withRemedies(withoutRemedies(capabilities, others), wanted);
}

/** Whether a device has the types and the functions of a row, by what it claims. */
export const isThere = ({ row, by }: Assumption, claimed: Capabilities): boolean =>
  row.remedies.every(
    (remedy) => by.includes(remedy) || !/^(emulated|without)-/.test(remedy) || !isOn(remedy, claimed),
  );

/** Parts whose rows have their forms under the same capabilities: a text has one form of a row, several texts may have others. */
export function inSameForm(
  capabilities: Capabilities,
  assumptions: readonly Assumption[],
): readonly (readonly Assumption[])[] {
  const given = inForm(capabilities, assumptions);
  const isGiven = ({ id, row }: Assumption): boolean => assumptionOf(row, given).id === id;
  const same = assumptions.filter(isGiven);
  const others = assumptions.filter((one) => !isGiven(one));
  if (others.length === 0) return [same];
  return same.length > 0 ? [same, ...inSameForm(capabilities, others)] : others.map((one) => [one]);
}

/** Whether a text relies on rows for which it could have these remedies. */
export const trusts = (assumes: readonly string[], careful: readonly Remedy[]): boolean =>
  assumes.some((id) => {
    const { row, by } = assumptionNamed(id) as Assumption;
    return row.remedies.some((remedy) => careful.includes(remedy) && !by.includes(remedy));
  });
