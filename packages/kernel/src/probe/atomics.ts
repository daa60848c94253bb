/** What work-items do to elements of memory that they share: what probes do, and what they must find. */
import { BINARY } from "@groupwise/ir/tables/expr-op.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { ArrayRef, Code } from "../language/build.ts";
import type { Expr, SharedSpace } from "../language/expr.ts";
import { add, and, eq, lt, select, sub, u32 } from "../language/make-expr.ts";
import type { AtomicOp } from "../language/stmt.ts";
import { LANES, operandsOf } from "./operands.ts";
import { ATOMIC_OPS, type AtomicRow, GROUP } from "./rows.ts";

/** One work-item, and the elements that it shares with others. */
export interface Sharing {
  readonly code: Code;
  readonly array: ArrayRef<SharedSpace>;
  /** The first of the elements. */
  readonly at: number;
  /** The work-item among those that share them, and their number. */
  readonly item: Expr;
  readonly items: number;
}

/** What work-items do, and find. */
interface Doing {
  /** Elements for a number of work-items: the first begins as `first`, the others as 0. */
  readonly elements: (items: number) => number;
  readonly first: (type: Scalar) => ScalarValue;
  readonly act: (sharing: Sharing, value: Expr) => void;
  /** Asked when all have acted. */
  readonly found: (sharing: Sharing) => Expr;
  /** By work-item, of those that share elements. */
  readonly exact: (type: Scalar, values: readonly ScalarValue[]) => readonly ScalarValue[];
}

const LEAST: Readonly<Record<AtomicOp, Doing["first"]>> = {
  add: () => 0,
  or: () => 0,
  xor: () => 0,
  and: (type) => SCALARS[type].whole(-1),
  min: (type) => SCALARS[type].highest,
  max: (type) => SCALARS[type].lowest,
};
const zero = (): ScalarValue => 0;
const ownPlace = ({ item, at }: Sharing): Expr => add(item, u32(at));

/** All combine their operands into one element. */
const combining = (op: AtomicOp): Doing => ({
  elements: () => 1,
  first: LEAST[op],
  act: ({ code, array, at }, value) => code.atomic(op, array, at, value),
  found: ({ code, array, at }) => code.load(array, at),
  exact: (type, values) => {
    const all = values.reduce((x, y) => BINARY[op].apply(type, x, y));
    return values.map(() => all);
  },
});

/** Each takes a number, and marks its element: every number is taken once, whoever takes it. */
const TICKETS: Doing = {
  elements: (items) => 1 + items,
  first: zero,
  act: ({ code, array, at, items }) => {
    const ticket = code.atomicAdd("ticket", array, at, 1);
    code.if(lt(ticket, items), (then) => then.store(array, add(ticket, u32(at + 1)), u32(1)));
  },
  found: ({ code, array, at, item }) => code.load(array, add(item, u32(at + 1))),
  exact: (_, values) => values.map(() => 1),
};

/** Each writes a word of its own. */
const WORDS: Doing = {
  elements: (items) => items,
  first: zero,
  act: (sharing, value) => sharing.code.atomicStore(sharing.array.name, ownPlace(sharing), value),
  found: (sharing) => sharing.code.atomicLoad("word", sharing.array.name, ownPlace(sharing)),
  exact: (_, values) => values,
};

/** The same, read with its neighbours. */
const wordsBy = (width: 2 | 4): Doing => ({
  ...WORDS,
  found: ({ code, array, at, item, items }) => {
    const part = code.let("part", and(item, width - 1));
    const row = { index: add(sub(item, part), u32(at)), width, condition: lt(item, items) };
    const words = code.atomicLoadRow("words", array.name, row);
    const [first, ...others] = words as readonly Expr[] as readonly [Expr, ...Expr[]];
    return others.reduce((found, word, i) => select(eq(part, i + 1), word, found), first);
  },
});

const DOINGS = {
  ...(Object.fromEntries(ATOMIC_OPS.map((op) => [op, combining(op)])) as Readonly<Record<AtomicOp, Doing>>),
  ...{ ticket: TICKETS, word: WORDS, "word-of-2": wordsBy(2), "word-of-4": wordsBy(4) },
};
export const doingOf = ({ of }: AtomicRow): Doing => DOINGS[of.use];

/** Work-items that share elements: those of a group in its memory, all of them in device memory. */
export const SHARERS: Readonly<Record<SharedSpace, number>> = { "work-group": GROUP, storage: LANES };

/** By work-item. */
export function exactlyShared(row: AtomicRow): readonly ScalarValue[] {
  const { type, of } = row;
  const values = operandsOf(type).map(([a]) => a);
  const items = SHARERS[of.space];
  return Array.from({ length: LANES / items }, (_, i) =>
    doingOf(row).exact(type, values.slice(i * items, (i + 1) * items)),
  ).flat();
}
