/** For a chunk: the totals of its blocks and the prefixes at both of its ends, which the status has before the slots. */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, eq, mul, ne, select, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Lanes } from "../../lanes/lanes.ts";
import type { Component } from "../../parts/components.ts";
import { type Monoid, named } from "../../parts/monoid.ts";
import { AT_END, AT_START, type BlockTotals } from "../../work-groups/tile-totals.ts";
import { halvesOf, valuesOf, wordsOfValue } from "./shape.ts";

/** The number of words of a total. */
const wordsIn = ({ types }: Pick<Monoid, "types" | "fields">): number =>
  types.reduce((sum, type) => sum + halvesOf(type), 0);

/** The words of a pass, and the values of a total. */
interface Status {
  readonly array: ArrayRef<"storage">;
  readonly monoid: Monoid;
  readonly shape: { readonly slotWords: number; readonly isCarried: boolean };
  /** The place of the first item. */
  readonly start?: Expr | undefined;
  readonly fromNone: readonly boolean[];
}

/** Totals of some of the scans of a pass. */
interface Part {
  readonly monoid: Pick<Monoid, "types" | "fields">;
  /** The words of other scans before theirs. */
  readonly skipped: number;
}

const placeOf = ({ shape }: Status, at: Expr, skipped: number): Expr =>
  add(mul(at, shape.slotWords), 1 + skipped);

function read(code: Code, status: Status, { monoid, skipped }: Part, at: Expr): Expr[] {
  const place = code.let("at", placeOf(status, at, skipped));
  const words = Array.from({ length: wordsIn(monoid) }, (_, i) =>
    code.atomicLoad("word", status.array.name, add(place, i)),
  );
  return named(code, monoid, "total", valuesOf(monoid.types, words));
}

function write(code: Code, status: Status, skipped: number, at: Expr, values: readonly Expr[]): void {
  const place = code.let("at", placeOf(status, at, skipped));
  values
    .flatMap((value) => wordsOfValue(code.named("total", value)))
    .forEach((word, i) => {
      code.atomicStore(status.array.name, add(place, i), word);
    });
}

/** The totals at an index, of all scans of the pass. */
const readBlock = (code: Code, status: Status, at: Expr): Expr[] =>
  read(code, status, { monoid: status.monoid, skipped: 0 }, at);

/** The prefix before the chunk; the neutral values, if there are any, before the first one, where the total of a state without items is not one. */
function firstAt(code: Code, status: Status): readonly Expr[] {
  const { start, monoid } = status;
  const values = readBlock(code, status, u32(AT_START));
  const { neutral, reassociable } = monoid;
  if (!start || !neutral || reassociable) return values;
  return values.map((value, i) => select(ne(start, 0), value, neutral[i] as Expr));
}

/** Those of the values that begin with the prefix before the chunk. */
const fromPrefix = <T>(values: readonly T[], { fromNone }: Pick<Status, "fromNone">): T[] =>
  values.filter((_, i) => !fromNone[i]);

/**
 * The prefix with which the pass begins, before the chunk; undefined for a whole range. One work-item of a group reads it: where languages can only read atomically by
 * changing a word, all work-items of a device would wait for one another.
 */
export function firstOfChunk(
  code: Code,
  status: Status,
  { lane, shared }: Pick<Lanes, "lane" | "shared">,
): readonly Expr[] | undefined {
  if (!status.shape.isCarried) return undefined;
  const { types, identity } = status.monoid;
  const arrays = fromPrefix(types, status).map((type) => shared.make("before_chunk", type, 1));
  if (arrays.length === 0) return identity;
  code.if(eq(lane, 0), (one) => {
    one.storeAll(arrays, 0, fromPrefix(firstAt(one, status), status));
  });
  code.barrier();
  const loaded = code.loadAll(arrays, 0).map((value) => code.let("first", value));
  return identity.map((none, i) => (status.fromNone[i] ? none : (loaded.shift() as Expr)));
}

/** The prefix at the end of the chunk; undefined for a whole range. */
export const endOfChunk = (code: Code, status: Status): readonly Expr[] | undefined =>
  status.shape.isCarried ? readBlock(code, status, u32(AT_END)) : undefined;

/** That prefix, as a prefix in the pass. Values that begin with none are sums of u32. */
export const endInPass = (code: Code, status: Status): readonly Expr[] =>
  readBlock(code, status, u32(AT_END)).map((end, i) =>
    status.fromNone[i] ? sub(end, startOf(code, status, i)) : end,
  );

/** Prefixes in the pass, as those of the whole range. */
export const ofRange = (code: Code, status: Status, values: readonly Expr[]): readonly Expr[] =>
  values.map((value, i) => (status.fromNone[i] ? add(startOf(code, status, i), value) : value));

/** The value before the chunk of the i-th scan of the pass. */
function startOf(code: Code, status: Status, i: number): Expr {
  const { types } = status.monoid;
  const skipped = wordsIn({ types: types.slice(0, i) });
  const [value] = read(code, status, { monoid: { types: types.slice(i, i + 1) }, skipped }, u32(AT_START));
  return value as Expr;
}

/** @param values of all scans of the pass */
export const writeBlock = (code: Code, status: Status, at: Expr, values: readonly Expr[]): void =>
  write(code, status, 0, at, values);

/** The totals of each component. */
export function blockTotalsOf(status: Status, components: readonly Component[]): BlockTotals[] {
  let skipped = 0;
  return components.map((component) => {
    const part = { monoid: component.monoid, skipped };
    skipped += wordsIn(component.monoid);
    return {
      component,
      read: (code, at) => read(code, status, part, at),
      write: (code, at, values) => write(code, status, part.skipped, at, values),
    };
  });
}
