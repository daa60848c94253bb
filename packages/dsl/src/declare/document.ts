import type { Operator, Pipeline } from "@groupwise/core";
import { errorOf, mapOperands, type NewNode, type OperatorNode, PipelineNodes } from "@groupwise/core/target";
import { DeclaredExpr, type ScatterExpr, type Template } from "./expr.ts";
import { NarrowExpr } from "./outputs.ts";

type Output = DeclaredExpr | NarrowExpr | ScatterExpr;

interface Draft {
  readonly name: string;
  readonly workGroupSize: readonly number[];
  readonly inputs: readonly DeclaredExpr[];
  readonly outputs: readonly (readonly [name: string, output: Output, at: string | undefined])[];
  readonly places: boolean;
}

/** All values that the outputs depend on, in the order of creation. */
const live = (draft: Draft): DeclaredExpr[] =>
  liveOf(draft.outputs.flatMap(([, output]) => valuesOf(output)));

/** The values that an output consists of. */
export function valuesOf(output: Output): readonly DeclaredExpr[] {
  if (output instanceof DeclaredExpr) return [output];
  return output instanceof NarrowExpr ? [output.expr] : output.operands;
}

/** Values and all values that they depend on, in the order of creation. */
export function liveOf(roots: readonly DeclaredExpr[]): DeclaredExpr[] {
  const found = new Set<DeclaredExpr>();
  const open = [...roots];
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...next.operands);
  }
  return [...found].sort((a, b) => a.serial - b.serial);
}

/** A node; a scatter has the name of the output. @throws GroupwiseError `bad-usage` if items read a scatter that is none */
function named(template: Template, name: string | undefined, at: string | undefined): Template {
  if (template.kind !== "scatter") return template;
  if (name !== undefined) return { ...template, name };
  const reason = "items read a scatter that is no output";
  throw errorOf("bad-usage", { reason, hint: "return the scatter from the pipeline too" }, at);
}

/** The operator without source locations. */
function withoutPlaces(operator: Operator): Operator {
  return { ...operator, nodes: operator.nodes.map(({ at: _, ...node }) => node as OperatorNode) };
}

/** Assigns operators their indexes in a list; equal ones share one. */
function indexIn(list: Operator[], places: boolean): (operator: Operator) => number {
  const listed = new Map<string, number>();
  return (operator) => {
    const plain = withoutPlaces(operator);
    const key = JSON.stringify(plain);
    const index = listed.get(key) ?? list.push(places ? operator : plain) - 1;
    listed.set(key, index);
    return index;
  };
}

/** With all of its parts: runtimes keep what they know of a document that cannot change. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/**
 * The document of a draft: inputs, then the values that outputs depend on in the author's order, then the outputs. Equal
 * expressions become one node; unused expressions become none.
 */
export function documentOf(draft: Draft): Pipeline {
  const list = new PipelineNodes();
  const ids = new Map<DeclaredExpr, number>();
  const idOf = (expr: DeclaredExpr): number => ids.get(expr) as number;
  const linked = (template: Template, operands: readonly DeclaredExpr[]): Template =>
    mapOperands(template, (position) => idOf(operands[position] as DeclaredExpr));
  const placed = (at: string | undefined): { at?: string } =>
    draft.places && at !== undefined ? { at } : {};

  const operators: Operator[] = [];
  const operatorIndex = indexIn(operators, draft.places);

  const names = new Map<unknown, string>();
  for (const [name, output] of draft.outputs) if (!names.has(output)) names.set(output, name);
  for (const expr of new Set([...draft.inputs, ...live(draft)])) {
    const plain = named(linked(expr.template, expr.operands), names.get(expr), expr.place);
    const template = expr.operator ? { ...plain, operator: operatorIndex(expr.operator) } : plain;
    ids.set(expr, list.once(template, placed(expr.place).at));
  }
  for (const [name, output, at] of draft.outputs) {
    if (output instanceof DeclaredExpr) list.add({ kind: "output", name, of: idOf(output), ...placed(at) });
    else if (output instanceof NarrowExpr)
      list.add({ kind: "output", name, of: idOf(output.expr), as: output.type, ...placed(at) });
    // One that items read is in the list already.
    else if (ids.get(output as unknown as DeclaredExpr) === undefined || names.get(output) !== name)
      list.add({ ...linked(output.template, output.operands), name, ...placed(output.place) } as NewNode);
  }
  return frozen(list.pipeline(draft.name, draft.workGroupSize, operators));
}
