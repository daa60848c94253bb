/** What work-items do to elements of memory that they share: what probes do, and what they must find. */
import { BINARY } from "@groupwise/ir/tables/expr-op.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { ArrayRef, Code } from "../language/build.ts";
import type { Expr, SharedSpace } from "../language/expr.ts";
import { add, and, eq, lt, select, sub, u32 } from "../language/make-expr.ts";
import type { AtomicOp } from "../language/stmt.ts";

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

/** A use of atomics. */
export interface AtomicUse {
  /** Elements for a number of work-items: the first begins as `first`, the others as 0. */
  readonly elements: (items: number) => number;
  readonly first: (type: Scalar) => ScalarValue;
  readonly act: (sharing: Sharing, value: Expr) => void;
  /** Asked when all have acted. */
  readonly found: (sharing: Sharing) => Expr;
  /** By work-item, of those that share elements. */
  readonly exact: (type: Scalar, values: readonly ScalarValue[]) => readonly ScalarValue[];
}

const LEAST: Readonly<Record<AtomicOp, AtomicUse["first"]>> = {
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
export const combining = (op: AtomicOp): AtomicUse => ({
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
export const TICKETS: AtomicUse = {
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
export const WORDS: AtomicUse = {
  elements: (items) => items,
  first: zero,
  act: (sharing, value) => sharing.code.atomicStore(sharing.array.name, ownPlace(sharing), value),
  found: (sharing) => sharing.code.atomicLoad("word", sharing.array.name, ownPlace(sharing)),
  exact: (_, values) => values,
};

/** The same, read with its neighbours. */
export const wordsBy = (width: 2 | 4): AtomicUse => ({
  ...WORDS,
  found: ({ code, array, at, item, items }) => {
    const part = code.let("part", and(item, width - 1));
    const row = { index: add(sub(item, part), u32(at)), width, condition: lt(item, items) };
    const words = code.atomicLoadRow("words", array.name, row);
    const [first, ...others] = words as readonly Expr[] as readonly [Expr, ...Expr[]];
    return others.reduce((found, word, i) => select(eq(part, i + 1), word, found), first);
  },
});
