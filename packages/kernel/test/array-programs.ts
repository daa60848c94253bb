/** Programs that write and read arrays by element and as vec4s, for passes that change the form of arrays. */
import { fc } from "../../ir/test/fast-check.ts";
import type { ArrayRef, Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, bitcast, load, mul, select, u32 } from "../src/language/make-expr.ts";

/** Writes four elements of an array and reads them again. */
export interface Step {
  /** The array. */
  readonly name: string;
  readonly writesRow: boolean;
  readonly readsRow: boolean;
}

export const stepsOver = (names: readonly string[]): fc.Arbitrary<Step[]> =>
  fc.array(fc.record({ name: fc.constantFrom(...names), writesRow: fc.boolean(), readsRow: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  });

const wordOf = (e: Expr): Expr => (e.type === "bool" ? select(e, 1, 0) : bitcast("u32", e));

/**
 * Writes the statements of a step: values of the words of `x` into the first or the next four elements of the array, and what is read as a sum at `at` of `y`.
 * Each step has a block of its own, so that vec4s of several arrays have one name.
 */
export function writeStep(
  code: Code,
  { writesRow, readsRow }: Step,
  to: ArrayRef<"storage">,
  at: number,
  make: (word: Expr) => Expr,
): void {
  const first = u32(4 * (at % 2));
  const values = [0, 1, 2, 3].map((i) => make(add(load("storage", "x", "u32", add(first, i)), at)));
  code.for("k", u32(0), u32(2), (body) => {
    if (writesRow) body.storeRow(to, first, values);
    else for (const [i, value] of values.entries()) body.store(to, add(first, i), value);
    const got = readsRow
      ? body.loadRow("row", to, first)
      : [0, 1, 2, 3].map((i) => body.load(to, add(first, i)));
    const sum = got.map(wordOf).reduce((all, one, i) => add(all, mul(one, u32(i + 1))));
    body.store({ space: "storage", name: "y", type: "u32" }, u32(at), sum);
  });
}
