/** States of an operator: one value a field. */
import type { Operator } from "../document/operator.ts";
import { encodeLiteral, type Literal } from "../tables/literal.ts";
import type { ScalarValue } from "../tables/scalar.ts";
import { complexity } from "./sample.ts";

/** One value for each field of an operator, in the order of its fields. */
export type State = readonly ScalarValue[];
/** A state by the names of its fields, each value in the exact form of a literal. */
export type NamedState = Readonly<Record<string, Literal>>;

/** The state in readable form, also for JSON. */
export function namedState({ fields }: Operator, state: State): NamedState {
  const entries = fields.map(({ name, type }, i) => [name, encodeLiteral(type, state[i] as ScalarValue)]);
  return Object.fromEntries(entries);
}

/** Equal for states of the same bits, NaN payloads aside. */
export function keyOf(state: State): string {
  return state.map((value) => (Object.is(value, -0) ? "-0" : String(value))).join();
}

/** A measure of how hard a state is to read. */
export function complexityOf({ fields }: Operator, state: State): number {
  return fields.reduce((sum, { type }, i) => sum + complexity(type, state[i] as ScalarValue), 0);
}

/** The states without duplicates. */
export function distinct(states: readonly State[]): State[] {
  return [...new Map(states.map((state) => [keyOf(state), state])).values()];
}
