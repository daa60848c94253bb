/** Loops over items: several at a time where the order of a collective needs a counter. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, sub } from "@groupwise/kernel/language/make-expr.js";
import { type Shared, sharedIn, shareIn } from "../parts/shared.ts";
import { siteAt } from "../parts/site.ts";
import { SiteValues } from "../parts/values.ts";
import { rootsAt } from "../schedule/schedule.ts";
import { UNROLLED } from "./counter.ts";
import { item, type Loop, type LoopSteps, type Progress, type Pushing } from "./items.ts";

/** Nodes of a pipeline and its operators that are written out for each item of an unrolled loop. */
const MOST_UNROLLED = 24;

/** Whether the items of a pipeline are few enough statements to be written out several times. */
export function isShort({ pipeline: { nodes, operators = [] } }: Checked): boolean {
  return operators.reduce((sum, operator) => sum + operator.nodes.length, nodes.length) <= MOST_UNROLLED;
}

/** What {@link UNROLLED} items share, if they are items of a whole range. */
export function sharedAt(loop: Loop, stage: number): Shared | undefined {
  return loop.carrying ? undefined : sharedIn(loop, rootsAt(loop.plan, stage), UNROLLED);
}

/** Whether a loop takes several items at a time: the counter's work for each of them is then known at compile time. */
export function unrolls(checked: Checked, states: readonly Progress[]): boolean {
  return isShort(checked) && states.some(({ component }) => !component.monoid.reassociable);
}

/** Consecutive items. */
export interface Span {
  readonly from: Expr;
  readonly below: Expr;
}

/**
 * A loop over consecutive items.
 * @param several given if it takes {@link UNROLLED} at a time, of which the first has this number, and the others in the tail
 */
export function eachOf(
  code: Code,
  { from, below }: Span,
  single: (body: Code, i: Expr) => void,
  several?: (body: Code, first: Expr) => void,
): void {
  let rest = from;
  if (several) {
    rest = code.let("whole", sub(below, and(sub(below, from), UNROLLED - 1)));
    code.for("i", from, rest, several, UNROLLED);
    code.comment("the tail");
  }
  code.for("i", rest, below, single);
}

/** The work of one iteration for {@link UNROLLED} items. @param start the place of the first, for each collective in progress @param shared what they share */
export function severalItems(
  loop: Loop,
  stage: number,
  code: Code,
  first: Expr,
  { states, ranks, shared }: SeveralSteps,
): void {
  const site = { ...siteAt(loop, first), branches: true };
  const knownAt = shared && shareIn(shared, new SiteValues(site, loop.uniforms), code);
  for (let j = 0; j < UNROLLED; j++) {
    const at = j === 0 ? first : code.let(`i${j}`, add(first, j));
    const pushing = states.map(
      ({ start, ...p }): Pushing => ({
        ...p,
        push: (inner, value) => p.state.pushUnrolled(inner, start, j, value),
      }),
    );
    const known = knownAt?.(j);
    item(loop, stage, code, loop.geometry.place(at), { states: pushing, ranks, ...(known && { known }) });
  }
}

interface SeveralSteps extends Pick<LoopSteps, "ranks"> {
  readonly states: readonly Starting[];
  readonly shared: Shared | undefined;
}

/** A scan or reduce in progress, and the place of the first of several items. */
export interface Starting extends Progress {
  readonly start: Expr;
}
