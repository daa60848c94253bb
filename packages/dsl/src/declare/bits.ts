/** Truth values of one bit each: reads by a gather of the word, writes by a scatter that combines bits. */
import { errorOf, requireArguments } from "@groupwise/core/target";
import { optionsOf } from "../base/choice.ts";
import { refusePrimitives } from "../base/misuse.ts";
import { callerOf } from "../base/place.ts";
import type {
  BoolValue,
  CombiningScatterOptions,
  Operands,
  Scatter,
  ScatterOptions,
  Table,
} from "../values/value.ts";
import {
  constantOf,
  DeclaredExpr,
  operandOf,
  perItemOf,
  SCATTER_OPTIONS,
  type ScatterExpr,
  scatterOf,
  use,
  where,
} from "./expr.ts";
import type { TableExpr } from "./outputs.ts";

// Methods of values, which expr.ts makes from tables.
type Methods = Record<string, (...args: unknown[]) => DeclaredExpr>;
const call = (value: DeclaredExpr, method: string, ...args: unknown[]): DeclaredExpr =>
  (value as unknown as Methods)[method]?.(...args) as DeclaredExpr;

const query = (of: DeclaredExpr, name: "global-linear-id" | "global-size", dimension = 0): DeclaredExpr =>
  new DeclaredExpr("u32", { kind: "query", query: name, dimension }, [], of.place, { owner: of.owner });

/** The number of an item in the range. */
const itemOf = (of: DeclaredExpr): DeclaredExpr => query(of, "global-linear-id");

/** The number of items. */
const itemsOf = (of: DeclaredExpr): DeclaredExpr =>
  Array.from({ length: of.owner?.dimensions ?? 1 }, (_, d) => query(of, "global-size", d)).reduce((a, b) =>
    call(a, "mul", b),
  );

const wordOf = (bit: DeclaredExpr): DeclaredExpr => call(bit, "shr", 5);

/** The number of words for some bits, computed without overflow of u32. */
function wordsFor(bits: DeclaredExpr): DeclaredExpr {
  const whole = call(bits, "div", 32);
  return call(whole, "add", call(call(bits, "sub", call(whole, "mul", 32)), "min", 1));
}

/** A table of bits under construction. */
export class BitTableExpr {
  readonly words: TableExpr;

  constructor(words: TableExpr) {
    this.words = words;
    Object.freeze(this);
  }

  at(index: unknown): DeclaredExpr {
    const at = where(this.words.expr, this.at);
    return bitAt(this.words, operandOf("u32", index, "the index of a bit", at));
  }
}

/** A bit past the end is the last bit of the last word, as an index past the end of a table means its last element. */
function bitAt(words: TableExpr, index: DeclaredExpr): DeclaredExpr {
  const word = wordOf(index);
  const place = call(call(word, "lt", words.length), "select", call(index, "and", 31), 31);
  return call(call(call(words.at(word), "shr", place), "and", 1), "ne", 0);
}

/** An input with a bit for each item; it may be unused. */
export function bitOfItem(words: TableExpr): DeclaredExpr {
  const bit = bitAt(words, itemOf(words.expr));
  use([bit]);
  return bit;
}

/** An output of bits under construction. */
export class BitsExpr {
  readonly kind = "scatter";
  readonly type = "u32";
  readonly value: DeclaredExpr;

  constructor(value: DeclaredExpr) {
    this.value = value;
    Object.freeze(this);
  }

  /** The bit of each item. */
  ofItems(at: string | undefined): ScatterExpr {
    const { value } = this;
    return written(perItemOf(value, at), itemOf(value), itemsOf(value), {}, at);
  }

  scatter(options: ScatterOptions): ScatterExpr {
    const at = where(this.value, this.scatter);
    if (typeof options !== "object" || options === null)
      throw errorOf("bad-usage", { reason: "scatter needs a slot", hint: "pass { to: slot }" }, at);
    if ("combine" in options && options.combine !== undefined) {
      const hint = "leave combine out: a bit is 1 if an item that chooses it is true";
      throw errorOf("bad-usage", { reason: "a scatter of bits has its own way to combine", hint }, at);
    }
    optionsOf<CombiningScatterOptions>(options, SCATTER_OPTIONS, at);
    const operand = (given: unknown, what: string): DeclaredExpr => operandOf("u32", given, what, at);
    const capacity =
      options.capacity === undefined
        ? itemsOf(this.value)
        : operand(options.capacity, "the capacity of a scatter");
    return written(this.value, operand(options.to, "the slot of a scatter"), capacity, options, at);
  }
}

/** Only items whose bit is 1 write, and items whose slot is past the end, so that the run reports them. */
function written(
  value: DeclaredExpr,
  slot: DeclaredExpr,
  capacity: DeclaredExpr,
  { where: condition, length }: Pick<ScatterOptions, "where" | "length">,
  at: string | undefined,
): ScatterExpr {
  const valid = length === undefined ? capacity : operandOf("u32", length, "the length of a scatter", at);
  const isInside = call(slot, "lt", valid);
  const changes = call(value, "or", call(isInside, "not"));
  const chosen =
    condition === undefined
      ? changes
      : call(operandOf("bool", condition, "the condition of a scatter", at), "and", changes);
  const bit = call(constantOf("u32", 1, at), "shl", call(slot, "and", 31));
  const options = {
    to: call(isInside, "select", wordOf(slot), 0xffffffff),
    where: chosen,
    capacity: wordsFor(capacity),
    combine: "or",
    ...(length !== undefined && { length: wordsFor(valid) }),
  } as const;
  return scatterOf(bit, options as never, undefined, at);
}

/** A bitmap as an output, `bits(x)`: an array of u32. It is not a value: return it from the pipeline. */
export interface BitsOutput extends Scatter<"u32"> {
  /**
   * Makes a bitmap in which each item writes the bit that it computes. `capacity` and `length` are numbers of bits. A bit is 1 if an
   * item that writes it is true, and 0 if no item writes it.
   * @throws GroupwiseError `type-mismatch`, `bad-usage`
   */
  scatter(options: ScatterOptions): Scatter<"u32">;
}

/** A bitmap of which items read any bit. It is not a value itself. */
export interface BitTable {
  /** The words of the bitmap, to pass to an applied pipeline whose table is of bits. */
  readonly words: Table<"u32">;
  /** The bit at an index; past the end, the last bit of the last word; false for an empty bitmap. */
  at(index: Operands["u32"]): BoolValue;
}

/**
 * Bitmaps: bit i % 32 of word i / 32 belongs to item i. Names the type of an input, whose values are bool, and makes an output of a
 * bool, `bits(x)`. A host passes and gets a `Uint32Array`; see {@link packBits} and {@link unpackBits}.
 */
export interface BitsType {
  /**
   * An output with a bit for each item; a value that is the same for several items is written for each. Bits after the last item
   * are 0.
   * @throws GroupwiseError `type-mismatch` for a value that is not bool, `bad-usage` for an argument that is not a value of the pipeline
   */
  (value: BoolValue): BitsOutput;
  readonly bits: "items";
}

/** The type of a table of bits, `table(bits)`. */
export interface BitTableType {
  readonly bits: "table";
}

function make(value: unknown): BitsOutput {
  requireArguments(arguments, "bits", ["value"]);
  const at = callerOf(make);
  const what = "the value of an output of bits";
  if (!(value instanceof DeclaredExpr) || value.owner === undefined) {
    const hint = "pass a bool of the pipeline, for example bits(x.gt(0))";
    throw errorOf("bad-usage", { reason: `${what} is not a value of a pipeline`, hint }, at);
  }
  if (value.type !== "bool") throw errorOf("type-mismatch", { what, want: "bool", got: value.type }, at);
  return new BitsExpr(value) as unknown as BitsOutput;
}

/** Bitmaps, one bit for each item. */
export const bits: BitsType = /*@__PURE__*/ Object.freeze(Object.assign(make, { bits: "items" as const }));

/** The descriptor of {@link BitTableType}. */
export const BIT_TABLE: BitTableType = /*@__PURE__*/ Object.freeze({ bits: "table" });

for (const one of [BitTableExpr, BitsExpr]) refusePrimitives(one.prototype);
