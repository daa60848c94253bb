/** What several primitives take, for authors who do not use TypeScript. */
import type { Scalar } from "@groupwise/core";
import {
  errorOf,
  having,
  OBJECT,
  oneOf,
  required,
  requireType,
  type Wanted,
  whole,
} from "@groupwise/core/target";

export const FORM: Wanted = /*@__PURE__*/ oneOf("inclusive", "exclusive");

/** A number of elements that an array of the device has. */
export const CAPACITY: Wanted = /*@__PURE__*/ required(/*@__PURE__*/ whole(0, 2 ** 32 - 1));

export const OPERATOR: Wanted = {
  want: 'the name of an operator, for example "add", or the result of `operator`',
  is: (value) =>
    typeof value === "string" || (OBJECT.is(value) && COLLECTIVES.is(value) && "record" in (value as object)),
};

const COLLECTIVES = /*@__PURE__*/ having(
  "an operator",
  "combine",
  "reduce",
  "scanInclusive",
  "scanExclusive",
);

const isNumeric = (type: Scalar): boolean => type !== "bool";

/** @throws GroupwiseError `bad-argument`, `unknown-type`, `bad-usage` */
export const requireNumeric = (what: string, type: unknown): void => requireType(what, type, isNumeric);

/** Reads of tables are clamped, so that no step finds a short array. @throws GroupwiseError `bad-buffer` */
export function requireElements(
  name: string,
  { length }: { readonly length: number },
  least: number,
  where: string,
): void {
  if (length >= least) return;
  const remedy = "pass as many elements as there are items, or a smaller `n`";
  throw errorOf(
    "bad-buffer",
    { name, reason: `it has ${length} elements but needs ${least}`, remedy },
    where,
  );
}
