/** Detects values of a pipeline in places where JavaScript expects a number, a string or a boolean. */
import { errorOf } from "@groupwise/core/target";
import { callerOf } from "./place.ts";

const HINT =
  "JavaScript's operators see no items: write x.add(y), x.lt(y), x.eq(y), a.and(b), condition.not(), " +
  "and condition.select(a, b) for ?: and if";

const ASKED: Readonly<Record<string, string>> = { number: "a number", string: "a text" };

/** Makes objects of a class refuse `x + 1`, `x < 1` and text templates. */
export function refusePrimitives(prototype: object): void {
  const refuse = function toPrimitive(hint: string): never {
    const reason = `JavaScript read a value of a pipeline as ${ASKED[hint] ?? "a number or a text"}`;
    throw errorOf("bad-usage", { reason, hint: HINT }, callerOf(toPrimitive));
  };
  Object.defineProperty(prototype, Symbol.toPrimitive, { value: refuse });
}

/** A condition that no value depends on yet, and its source location. */
interface Condition {
  readonly place: string | undefined;
}

/**
 * Refuses conditions that nothing uses: in JavaScript any object is true, without a call, so that
 * `x.gt(3) ? a : b` is always `a`, and only the unused condition shows it.
 * @throws GroupwiseError `unused-condition` for the first one
 */
export function refuseUnused(conditions: Iterable<Condition>, at: string | undefined): void {
  for (const { place } of conditions) throw errorOf("unused-condition", undefined, place ?? at);
}
