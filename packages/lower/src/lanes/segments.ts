/**
 * Totals and prefixes of 32 lanes for operators in segments. A ballot says which lanes begin a segment, so that no flag moves; of exactly associative
 * operators each lane combines what its segment has before it, in any grouping.
 */
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, eq, ne, select, sub, u32, unary } from "@groupwise/kernel/language/make-expr.js";
import { hintsFor, type Monoid, monoidOf, named, product } from "../parts/monoid.ts";
import { flagsAround, type Lanes, type Prefixes, roundsOf, shuffledFrom } from "./lanes.ts";

type Values = readonly Expr[];

/** The operators of the values after the first as a monoid, if the lanes combine them within segments; undefined for others. */
export function inSegments({ ballots }: Lanes, { opsInSegments, types, fields }: Monoid): Monoid | undefined {
  if (!ballots || !opsInSegments) return undefined;
  return product(
    opsInSegments.map((op, i) => monoidOf(op, types[i + 1] as Scalar)),
    fields?.slice(1),
  );
}

/** The lanes that begin a segment, as bits, if a ballot says so in place of flags that move; undefined for others. */
export const flagsOf = (
  code: Code,
  { ballots }: Lanes,
  { isFlagged }: Monoid,
  [flag]: Values,
): Expr | undefined => (ballots && isFlagged ? beginsOf(code, flag as Expr) : undefined);

/** Values whose flag is the one that the bits give. */
export const flaggedBy = (code: Code, bits: Expr, [, ...values]: Values): Expr[] => [
  code.let("flag", ne(bits, 0)),
  ...values,
];

/** The lanes that begin a segment, as bits. @param first whether the lane does, or how many of its items do */
const beginsOf = (code: Code, first: Expr): Expr =>
  code.intrinsic("ballot", "begins", [first.type === "bool" ? first : ne(first, 0)]);

/** The values of the last lane that begins a segment and of those after it, identities in the others, and whether there is such a lane. */
export function lastSegment(
  code: Code,
  { lane }: Lanes,
  { identity, fields }: Monoid,
  [first, ...own]: Values,
): { readonly some: Expr; readonly values: Values } {
  const begins = beginsOf(code, first as Expr);
  const isLast = code.let("is_last", binary("le", binary("shr", begins, lane), 1));
  const values = named(
    code,
    { fields },
    "own",
    own.map((v, i) => select(isLast, v, identity[i] as Expr)),
  );
  return { some: ne(begins, 0), values };
}

/** Inclusive prefixes, by rounds over twice as many lanes each (Hillis and Steele, "Data parallel algorithms", 1986). @param before the lanes to combine */
function prefixesOf(code: Code, { lane, size }: Lanes, monoid: Monoid, values: Values, before: Expr): Values {
  let found = values;
  for (let round = 0; round < roundsOf(size as number); round++) {
    const far = 2 ** round;
    const theirs = shuffledFrom(
      code,
      hintsFor(monoid, `theirs${far}`),
      found,
      and(sub(lane, far), (size as number) - 1),
    );
    const isIn = code.let("is_in", binary("ge", before, far));
    const both = monoid.combine(code, theirs, found);
    const until = found;
    found = named(
      code,
      monoid,
      `both${2 * far}`,
      both.map((v, i) => select(isIn, v, until[i] as Expr)),
    );
  }
  return found;
}

/** The prefixes after a carry, and the total. */
export function scanSegments(
  code: Code,
  lanes: Lanes,
  monoid: Monoid,
  [first, ...own]: readonly [Expr, ...Expr[]],
  [carried, ...carries]: readonly [Expr, ...Expr[]],
): Prefixes & { readonly total: Values } {
  const { lane } = lanes;
  const last = (lanes.size as number) - 1;
  const begins = beginsOf(code, first);
  const upTo = code.let("up_to", and(begins, binary("shr", 0xffff_ffff, sub(last, lane))));
  // The lanes before this one in its segment; before the first segment, all.
  const before = code.let("before", sub(lane, sub(31, unary("clz", binary("or", upTo, 1)))));
  const found = prefixesOf(code, lanes, monoid, own, before);
  const follows = code.let("follows", eq(upTo, 0));
  const joined = monoid.combine(code, carries, found);
  const inclusive = named(
    code,
    monoid,
    "inclusive",
    joined.map((v, i) => select(follows, v, found[i] as Expr)),
  );
  const previous = shuffledFrom(code, hintsFor(monoid, "previous"), inclusive, and(sub(lane, 1), last));
  const isLeast = code.let("is_least", eq(lane, 0));
  const exclusive = named(
    code,
    monoid,
    "exclusive",
    previous.map((v, i) => select(isLeast, carries[i] as Expr, v)),
  );
  const total = shuffledFrom(code, hintsFor(monoid, "total"), found, u32(last));
  const made = (start: Expr, end: Expr, all: Expr): Prefixes & { readonly total: Values } => ({
    exclusive: { values: [start, ...exclusive], present: undefined },
    inclusive: [end, ...inclusive],
    total: [all, ...total],
  });
  if (first.type === "bool") {
    const flags = flagsAround(code, lanes, begins, carried);
    return made(flags.before, flags.upTo, ne(begins, 0));
  }
  const [count] = prefixesOf(code, lanes, monoidOf("add", "u32"), [first], lane) as [Expr];
  const end = code.let("count", add(carried, count));
  return made(sub(end, first), end, code.intrinsic("shuffle", "counted", [count, u32(last)]));
}
