/**
 * Neighbours: reads at a constant distance in the order of the range, and what is made of them. They are gathers at `index - k` and `index + k`,
 * selected by whether that item exists, so that streams recognise them.
 */

import { LIMITS, type Op } from "@groupwise/core";
import { ANY, errorOf, OPS, requireArguments } from "@groupwise/core/target";
import { optionsOf } from "../base/choice.ts";
import { callerOf } from "../base/place.ts";
import type { AnyValue, BoolValue, NeighbourOptions } from "../values/value.ts";
import { asValue, DeclaredExpr, operandOf } from "./expr.ts";
import { normalised } from "./operator-ir.ts";
import { Maker, placesIn } from "./within.ts";

/** The side of an item on which another one is. */
type Side = "before" | "after";

/** The widest window. Each of its items is a read of its own, and a stream keeps one fewer: an operator has 32 fields. */
const WIDEST = 32;

const OPTIONS = { segments: ANY, keys: ANY };

/** The items at constant distances from the current one. */
class Neighbours {
  private readonly make: Maker;
  private readonly index: DeclaredExpr;
  private readonly count: DeclaredExpr;
  private readonly flags: DeclaredExpr | undefined;
  private readonly keys: readonly DeclaredExpr[];

  constructor(owned: readonly DeclaredExpr[], options: NeighbourOptions | undefined, at: string | undefined) {
    const { segments, keys } = optionsOf(options, OPTIONS, at) as NeighbourOptions;
    this.flags = segments === undefined ? undefined : operandOf("bool", segments, "segments", at);
    this.keys = keysOf(keys, at);
    const owner = [...owned, ...this.keys].find((value) => value.owner)?.owner;
    this.make = new Maker(owner, at);
    const places = placesIn("device", owner, this.make);
    this.index = places.place;
    this.count = places.count;
  }

  /** The value of the item at a distance; that of some other item if there is none. */
  at(value: DeclaredExpr, side: Side, k: number): DeclaredExpr {
    if (k === 0) return value;
    const { make, index } = this;
    return make.gather(value, make.binary(side === "before" ? "sub" : "add", index, make.u32(k)));
  }

  /** Whether no item is at a distance in the range, or it is of another segment. */
  isOutside(side: Side, k: number): DeclaredExpr {
    const { make, keys, flags } = this;
    const questions = (keys.length + (flags ? 1 : 0)) * k;
    const limit = LIMITS.nodes;
    if (questions > limit)
      throw errorOf("too-large", { what: "tests of segments up to an item", got: questions, limit }, make.at);
    // A segment begins between an item and the one before it.
    const breaks = Array.from({ length: questions && k }, (_, m) =>
      this.breaksAt(side, side === "before" ? m : m + 1),
    );
    // The tests of nearer items come first, so that a window has those of each distance once.
    return [...breaks.flat(), this.isPast(side, k)].reduce((a, b) => make.binary("or", a, b));
  }

  /** Comparisons that a stream knows: they have no overflow, and those with the first and the last item need no number of an item. */
  private isPast(side: Side, k: number): DeclaredExpr {
    const { make, index, count } = this;
    if (side === "before")
      return k === 1 ? make.compare("eq", index, make.u32(0)) : make.compare("lt", index, make.u32(k));
    if (k === 1) return make.compare("eq", make.binary("add", index, make.u32(1)), count);
    const distance = make.u32(k);
    return make.compare("ge", index, make.binary("sub", make.binary("max", count, distance), distance));
  }

  /** Whether a segment begins at the item at a distance. */
  private breaksAt(side: Side, m: number): DeclaredExpr[] {
    const { make, keys, flags } = this;
    const before = side === "before" ? m + 1 : m - 1;
    const changes = keys.map((key) => make.compare("ne", this.at(key, side, m), this.at(key, side, before)));
    return flags ? [this.at(flags, side, m), ...changes] : changes;
  }

  select(condition: DeclaredExpr, then: DeclaredExpr, otherwise: DeclaredExpr): DeclaredExpr {
    return this.make.select(condition, then, otherwise);
  }
}

function keysOf(keys: unknown, at: string | undefined): readonly DeclaredExpr[] {
  const list = (keys === undefined ? [] : Array.isArray(keys) ? keys : [keys]) as unknown[];
  if (list.every((key) => key instanceof DeclaredExpr)) return list as DeclaredExpr[];
  const hint = "pass a value, or a list of values";
  throw errorOf("bad-usage", { reason: "a key is not a value of a pipeline", hint }, at);
}

function distanceOf(k: unknown, what: string, most: number, at: string | undefined): number {
  if (Number.isSafeInteger(k) && (k as number) >= 1 && (k as number) <= most) return k as number;
  const want = `a whole number from 1 to ${most}, which is the same for all items`;
  throw errorOf("bad-argument", { what, want, got: typeof k === "number" ? String(k) : typeof k }, at);
}

const FARTHEST = 0x7fffffff;

/** The value of the item `k` before or after, or `fill` if there is none. */
export function neighbourOf(
  side: Side,
  value: DeclaredExpr,
  given: readonly unknown[],
  at: string | undefined,
): DeclaredExpr {
  const [fill, k = 1, options] = given;
  const method = side === "before" ? "previous" : "next";
  const distance = distanceOf(k, `the distance of ${method}`, FARTHEST, at);
  const own = operandOf(value.type, fill, `the fill of ${method}`, at);
  const near = new Neighbours([value], options as NeighbourOptions, at);
  return near.select(near.isOutside(side, distance), own, near.at(value, side, distance));
}

/**
 * True at the first item of each run of items with equal keys: the first item of the range, and each with another key than the item before it. -0 equals
 * +0; NaN equals no key.
 * @param keys a value, or several, of which one must differ
 * @example
 * ```ts
 * import { pipeline, starts, u32 } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: u32 }, ({ x }) => ({ isFirst: starts(x) }));
 * const program = await jsRuntime().compile(example);
 * const { isFirst } = await program.run({ x: Uint32Array.of(7, 7, 3) });
 * console.log(isFirst); // [1, 0, 1]
 * ```
 */
export function starts(keys: AnyValue | readonly AnyValue[]): BoolValue {
  requireArguments(arguments, "starts", ["keys"]);
  return asValue(edgeOf("before", keys, callerOf(starts)));
}

/**
 * True at the last item of each run of items with equal keys: the last item of the range, and each with another key than the item after it. -0 equals
 * +0; NaN equals no key.
 * @param keys a value, or several, of which one must differ
 * @example
 * ```ts
 * import { ends, pipeline, u32 } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: u32 }, ({ x }) => ({ isLast: ends(x) }));
 * const program = await jsRuntime().compile(example);
 * const { isLast } = await program.run({ x: Uint32Array.of(7, 7, 3) });
 * console.log(isLast); // [0, 1, 1]
 * ```
 */
export function ends(keys: AnyValue | readonly AnyValue[]): BoolValue {
  requireArguments(arguments, "ends", ["keys"]);
  return asValue(edgeOf("after", keys, callerOf(ends)));
}

function edgeOf(side: Side, keys: unknown, at: string | undefined): DeclaredExpr {
  const list = keysOf(keys, at);
  if (list.length > 0) return new Neighbours(list, { keys: list as never }, at).isOutside(side, 1);
  throw errorOf("bad-usage", { reason: "there is no key", hint: "pass a value, or a list of values" }, at);
}

/** The values of the items from `before` items before to `after` items after. */
export function windowOf(
  value: DeclaredExpr,
  given: readonly unknown[],
  at: string | undefined,
): readonly DeclaredExpr[] {
  const [fill, before, after = 0, options] = given;
  const own = (side: Side, k: number): DeclaredExpr => neighbourOf(side, value, [fill, k, options], at);
  const count = (k: unknown, what: string): number =>
    k === 0 ? 0 : distanceOf(k, `the number of items ${what} a window's item`, WIDEST - 1, at);
  const [earlier, later] = [count(before, "before"), count(after, "after")];
  return Object.freeze([
    ...Array.from({ length: earlier }, (_, i) => own("before", earlier - i)),
    value,
    ...Array.from({ length: later }, (_, i) => own("after", i + 1)),
  ]);
}

/** The values of the last `width` items combined, from the first to the last. */
export function movingOf(
  op: Op,
  value: DeclaredExpr,
  width: unknown,
  options: unknown,
  at: string | undefined,
): DeclaredExpr {
  const most = distanceOf(width, `the width of moving ${op}`, WIDEST, at) - 1;
  const taken = normalised(op, value, at);
  const near = new Neighbours([taken], options as NeighbourOptions, at);
  const { elementwise } = OPS[op];
  const both = (left: DeclaredExpr, right: DeclaredExpr): DeclaredExpr =>
    new DeclaredExpr(taken.type, { kind: "binary", op: elementwise, left: 0, right: 1 }, [left, right], at);
  let sum = near.at(taken, "before", most);
  for (let k = most - 1; k >= 0; k--) {
    const own = near.at(taken, "before", k);
    sum = near.select(near.isOutside("before", k + 1), own, both(sum, own));
  }
  return sum;
}
