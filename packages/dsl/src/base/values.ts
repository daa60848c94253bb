/** Values of a pipeline as arguments, for authors who do not use TypeScript. */
import { having, requireArgument, shaped, type Wanted } from "@groupwise/core/target";

/** @param methods some that the value must have */
const valueWith = (...methods: readonly string[]): Wanted => having("a value of a pipeline", ...methods);

/** Refuses what is no value with these methods. @throws GroupwiseError `bad-argument` */
export const requireValue = (what: string, value: unknown, ...methods: readonly string[]): void =>
  requireArgument(value, valueWith(...methods), what);

/** Refuses what is no record with values of these names. @throws GroupwiseError `bad-argument` */
export function requireRecord(what: string, record: unknown, ...names: readonly string[]): void {
  const parts = names.map((name) => [name, valueWith("add")]);
  requireArgument(record, shaped(`a record of ${names.join(", ")}`, Object.fromEntries(parts)), what);
}
