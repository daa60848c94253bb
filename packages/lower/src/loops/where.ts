/**
 * Loops in which an item does nothing unless a condition holds, such as compactions: vectors of the condition show which items do something, and only these are
 * visited.
 */

import type { Checked } from "@groupwise/ir/document/check.js";
import { isScan } from "@groupwise/ir/document/collectives.js";
import type { NodeId } from "@groupwise/ir/document/node.js";
import { boundOf } from "@groupwise/ir/slots/bounded.js";
import { encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { OPS } from "@groupwise/ir/tables/op.js";
import { isFloat, SCALARS } from "@groupwise/ir/tables/scalar.js";
import { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, bits, bool, ne, sub } from "@groupwise/kernel/language/make-expr.js";
import { applied } from "@groupwise/kernel/library/functions/apply.js";
import { siteOf } from "../parts/site.ts";
import { sinksAt, waits } from "../parts/stages.ts";
import { SiteValues } from "../parts/values.ts";
import type { Span } from "./each.ts";
import { item, type Loop, type Progress, pushingAt } from "./items.ts";
import type { LoopShape } from "./shapes.ts";
import { firstPossible, type Vectorised } from "./vectors.ts";
import { Widening } from "./widening.ts";

/** Items of an iteration: the bits of a word. */
const ITEMS = 32;
/** Bytes of elements. Two items of 64 bits a vector do not pay for the visits of those that are chosen. */
const ELEMENTS = [1, 2, 4];

/**
 * A loop over those of the first items of a span that do something, if the capabilities have what it needs.
 * @returns where the remaining items begin
 */
export function whereLoop(
  loop: Loop,
  stage: number,
  code: Code,
  span: Span,
  { states, placeOf }: Pick<Vectorised, "states" | "placeOf">,
): Expr | undefined {
  const { vectors } = loop;
  const condition = vectors?.loops.includes("where") ? conditionOf(loop, stage, states) : undefined;
  if (!vectors || condition === undefined) return undefined;
  const shapes = ELEMENTS.map((element): LoopShape => {
    const width = vectors.bytes / element;
    return { width, count: ITEMS / width };
  });
  const made = firstPossible(shapes, span, code, (outer, { width, count }, { from, below }) => {
    let isPossible = true;
    const body = (inner: Code, first: Expr): void => {
      const widening = new Widening(vectors, width, (first as VarExpr).name);
      const masks = Array.from({ length: count }, (_, k): Expr => {
        const at = add(first, k * width);
        const scalar = new Code(inner.names);
        const values = new SiteValues(
          { ...siteOf(loop, loop.geometry.place(at)), number: k * width, comparesPairs: false },
          loop.uniforms,
        );
        const holds = values.get(condition, scalar);
        inner.stmts.push(...widening.block(scalar.stmts, at));
        const wide = widening.expr(holds, at);
        isPossible &&= widening.isPossible && wide.width !== undefined;
        return binary("shl", bits(wide), k * width);
      });
      const chosen = inner.var(
        "chosen",
        masks.reduce((a, b) => binary("or", a, b)),
      );
      inner.while(ne(chosen, 0), (each) => {
        // Of a word that is not 0, the number is at most 31.
        const place = and(applied(each, { op: "ctz" }, [chosen]), ITEMS - 1);
        const i = each.let("at", add(first, place));
        each.assign(chosen, and(chosen, sub(chosen, 1)));
        const pushing = states.map((one) => pushingAt(one, placeOf(i)));
        item(loop, stage, each, loop.geometry.place(i), {
          states: pushing,
          ranks: [],
          known: new Map([[condition, bool(true)]]),
        });
      });
    };
    outer.for("i", from, below, body, width * count);
    return isPossible;
  });
  if (!made) return undefined;
  code.stmts.push(...made.whole.stmts, ...made.loops.stmts);
  return made.end;
}

/** The condition without which an item writes nothing and changes no collective. */
function conditionOf(
  { checked, plan }: Loop,
  stage: number,
  states: readonly Progress[],
): NodeId | undefined {
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const isStored = states.some(({ component }) =>
    component.nodes.some((node) => isScan(node) && plan.stored.has(node.id)),
  );
  if (isStored || plan.materialized.has(stage)) return undefined;
  const conditions = [
    // That a slot is below the capacity, as in histograms, holds for most items.
    ...sinks.map((sink) =>
      sink.kind === "scatter" && !boundOf(checked, sink)?.isCondition ? sink.where : undefined,
    ),
    ...states.map((one) => conditionIn(checked, one)),
  ];
  const [condition] = conditions;
  if (condition === undefined || !conditions.every((one) => one === condition)) return undefined;
  return waits(plan, stage, [condition]) ? undefined : condition;
}

/** The condition without which an item adds the neutral value to a collective, which keeps its bits. */
function conditionIn({ pipeline: { nodes }, types }: Checked, { component }: Progress): NodeId | undefined {
  const { builtin, monoid, of } = component;
  if (!builtin || !monoid.reassociable || isFloat(builtin.type)) return undefined;
  const { op, type } = builtin;
  const neutral = OPS[op].identity(type);
  const node = nodes[of[0] as NodeId];
  if (node?.kind === "cast")
    return types[node.of] === "bool" && neutral === SCALARS[type].whole(0) ? node.of : undefined;
  if (node?.kind !== "select") return undefined;
  const otherwise = nodes[node.otherwise];
  const isNeutral = otherwise?.kind === "const" && otherwise.value === encodeLiteral(type, neutral);
  return isNeutral ? node.condition : undefined;
}
