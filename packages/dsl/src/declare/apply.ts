import type { Checked, PipelineNode } from "@groupwise/core";
import { errorOf, mapOperands, valueTypeOf } from "@groupwise/core/target";
import { DeclaredExpr, operandOf, perItemOf, ScatterExpr, type Template } from "./expr.ts";
import { heldBy } from "./narrow.ts";
import { NarrowExpr, TableExpr } from "./outputs.ts";

/** The terms for the arguments of a pipeline in errors. */
const WORDS = { input: "input", param: "parameter", table: "table" } as const;

const named = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);

/** The value for an input, a parameter or a table. */
function argumentOf(
  node: PipelineNode & { kind: keyof typeof WORDS },
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
  at: string | undefined,
): DeclaredExpr {
  const { name, type, kind } = node;
  const value = given[name];
  if (value === undefined) throw errorOf("missing-input", { name, known, what: WORDS[kind] }, at);
  if (kind === "table") {
    if (value instanceof TableExpr && value.type === type) return value.expr;
    const got = value instanceof TableExpr ? `a table of ${value.type}` : "none";
    throw errorOf("type-mismatch", { what: `the table ${name}`, want: `a table of ${type}`, got }, at);
  }
  const what = `the ${WORDS[kind]} ${name}`;
  const own = valueTypeOf(type);
  if (kind === "input") {
    if (value instanceof DeclaredExpr) return perItemOf(heldBy(type, operandOf(own, value, what, at)), at);
    throw errorOf("type-mismatch", { what, want: `a value of ${own}`, got: "none" }, at);
  }
  const expr = operandOf(own, value, what, at);
  if (node.kind === "param" && node.divides) requireDivisor(name, expr, at);
  if (expr.uniformity === "uniform") return expr;
  throw errorOf("not-uniform", { what, uniformity: expr.uniformity, want: "a uniform value" }, at);
}

/** A parameter that is passed on has the same condition; of other values only 0 is known to be none. */
function requireDivisor(name: string, { template }: DeclaredExpr, at: string | undefined): void {
  if (template.kind === "param") Object.assign(template, { divides: true });
  if (template.kind === "const" && template.value === 0) throw errorOf("bad-divisor", { name, value: 0 }, at);
}

/** Rebuilds a pipeline's nodes on values of another pipeline; returns the outputs. */
export function applyTo(
  checked: Checked,
  values: unknown,
  at: string | undefined,
): Record<string, DeclaredExpr | NarrowExpr | ScatterExpr> {
  const { pipeline, types, inputs, params, tables } = checked;
  const given = Object.assign(Object.create(null), values) as Record<string, unknown>;
  const known = named([...inputs, ...params, ...tables]);
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) throw errorOf("unknown-input", { name, known }, at);
  }
  const exprs: DeclaredExpr[] = [];
  const outputs: Record<string, DeclaredExpr | NarrowExpr | ScatterExpr> = {};
  for (const node of pipeline.nodes) {
    if (node.kind === "input" || node.kind === "param" || node.kind === "table") {
      exprs[node.id] = argumentOf(node, given, known, at);
      continue;
    }
    if (node.kind === "output") {
      const value = exprs[node.of] as DeclaredExpr;
      outputs[node.name] = node.as === undefined ? value : new NarrowExpr(node.as, value);
      continue;
    }
    const { id, at: place, ...rest } = node;
    const operands: DeclaredExpr[] = [];
    const template = mapOperands(rest as Template, (used) => operands.push(exprs[used] as DeclaredExpr) - 1);
    if (node.kind === "scatter") {
      const scatter = new ScatterExpr(template, operands, place);
      outputs[node.name] = scatter;
      exprs[id] = scatter as unknown as DeclaredExpr; // gathers read it
    } else {
      const operator = node.kind === "user-collective" ? pipeline.operators?.[node.operator] : undefined;
      exprs[id] = new DeclaredExpr(types[id] as DeclaredExpr["type"], template, operands, place, {
        operator,
      });
    }
  }
  return outputs;
}
