/** Shuffles of values between the lanes of a subgroup. */

import type { Subgroups } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { and, binary, builtin, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Lanes } from "./lanes.ts";

/** A lane's number in its subgroup, and that of the first lane of its group. */
export interface Within {
  readonly at: Expr;
  readonly first: Expr;
}

/** The number of a lane in its subgroup, whose size is a power of two. It may be larger than the group. */
export function placeInSubgroup(code: Code, lane: Expr, { minSize, maxSize }: Subgroups): Expr {
  const size = minSize === maxSize ? u32(minSize) : builtin("subgroup-size");
  return code.let("subgroup_lane", and(lane, sub(size, 1)));
}

/** The values of the lanes of the same subgroup whose numbers differ in a bit. */
export function shuffled(
  code: Code,
  { place }: Pick<Lanes, "place">,
  hint: string,
  values: readonly Expr[],
  bit: Expr,
): Expr[] {
  return values.map((v) =>
    place
      ? code.intrinsic("shuffle", hint, [v, binary("xor", place, bit)])
      : code.intrinsic("shuffle-xor", hint, [v, bit]),
  );
}
