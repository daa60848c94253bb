/**
 * Groups of several subgroups, whose totals pass through work-group memory at once and not in a round with a barrier for each bit: every
 * subgroup folds the totals of all of them, in the same order.
 */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, eq, mul, u32, unary } from "@groupwise/kernel/language/make-expr.js";
import { type Monoid, settled } from "../parts/monoid.ts";
import type { Lanes, Watch } from "./lanes.ts";

/** The most totals that a lane folds by itself. */
const MOST_EACH = 4;
/** The least number of subgroups: two meet in one round. */
const LEAST = 4;

/** The subgroups of a group. */
export interface Subgroups {
  /** log2 of the lanes of a subgroup, and of the subgroups. */
  readonly near: number;
  readonly far: number;
  /** The totals that each lane folds, one after the other: 1, 2 or 4. */
  readonly each: number;
  /** The lane's number in its subgroup. */
  readonly place: Expr;
}

/** The subgroups whose totals can meet at once; undefined if they meet in rounds. */
export function subgroupsOf({ size, near, place, copies, unrolled }: Lanes): Subgroups | undefined {
  if (typeof size !== "number" || near?.kind !== "const" || !place || copies !== undefined || unrolled)
    return undefined;
  const width = 2 ** Number(near.value);
  const count = size / width;
  const far = Math.log2(count);
  if (!Number.isInteger(far) || count < LEAST || count > MOST_EACH * width) return undefined;
  return { near: Number(near.value), far, each: Math.max(1, count / width), place };
}

/** What the subgroups meet with. */
export interface Meeting {
  readonly lanes: Lanes;
  readonly of: Subgroups;
  readonly monoid: Monoid;
  /** The total of the lane's subgroup. */
  readonly total: readonly Expr[];
  /** Folds the lanes of a subgroup. */
  ascend(code: Code, lanes: Lanes, value: readonly Expr[], watch: Watch): readonly Expr[];
  /** Called for each round with the total of the lower one of the two blocks that meet. */
  lower?: ((code: Code, round: Expr, block: readonly Expr[]) => void) | undefined;
}

/** The totals that a lane folds: of the first two, where there are more than two, and of all. */
function foldOf(
  code: Code,
  monoid: Monoid,
  values: readonly (readonly Expr[])[],
): { readonly pair: readonly Expr[]; readonly total: readonly Expr[] } {
  const both = (a: readonly Expr[], b: readonly Expr[]): readonly Expr[] =>
    settled(code, monoid.combine(code, a, b), "both").map((v) => code.let("both", v));
  const [a, b, c, d] = values as [Expr[], Expr[]?, Expr[]?, Expr[]?];
  if (!b) return { pair: a, total: a };
  const pair = both(a, b);
  return { pair, total: c && d ? both(pair, both(c, d)) : pair };
}

/** Stores the totals of the subgroups, which all lanes see afterwards. */
function share(code: Code, { lanes, of: { far, place }, total }: Meeting, subgroup: Expr): ArrayRef[] {
  const shared = total.map((v, i) => lanes.shared.take(v.type, i, 2 ** far));
  // All lanes have read what other collectives stored in the same memory.
  code.barrier();
  code.if(eq(place, 0), (first) => {
    first.storeAll(shared, subgroup, total);
  });
  code.barrier();
  return shared;
}

const without = (x: Expr, bit: Expr): Expr => and(x, unary("not", bit));

/** The total of all subgroups, in each lane. */
export function meetOnce(code: Code, meeting: Meeting): readonly Expr[] {
  const { lanes, of, monoid, ascend, lower } = meeting;
  const { near, far, each, place } = of;
  const subgroup = code.let("subgroup", binary("shr", lanes.lane, near));
  const shared = share(code, meeting, subgroup);
  const load = (at: Expr): Expr[] => shared.map((array) => code.let("block", code.load(array, at)));
  const first = each > 1 ? mul(place, each) : and(place, 2 ** far - 1);
  const values = Array.from({ length: each }, (_, k) => load(add(first, k)));
  const { pair, total } = foldOf(code, monoid, values);
  const folded = Math.log2(each);
  // The lane that folds the total of the own subgroup.
  const owner = code.let("owner", binary("shr", subgroup, folded));
  const from = (body: Code, values: readonly Expr[], lane: Expr): Expr[] =>
    values.map((v) => body.intrinsic("shuffle", "block", [v, lane]));
  if (each > 1) lower?.(code, u32(near), load(without(subgroup, u32(1))));
  if (each > 2) lower?.(code, u32(near + 1), from(code, pair, owner));
  const rounds = far - folded;
  const inner: Lanes = { size: 2 ** rounds, lane: place, place, near: u32(rounds), shared: lanes.shared };
  return ascend(code, inner, total, (body, round, block) =>
    lower?.(
      body,
      add(round, near + folded),
      from(body, block, body.let("from", without(owner, binary("shl", 1, round)))),
    ),
  );
}
