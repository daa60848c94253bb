/** A pipeline with the data of one run, in plain JSON: a failure can be stored and run again. */
import type {
  ArrayType,
  Literal,
  Pipeline,
  RunOptions,
  RunValues,
  Scalar,
  ScalarValue,
} from "@groupwise/core";
import { bitcastValue, decodeLiteral, itemsIn, SCALARS, valueTypeOf } from "@groupwise/core/target";
import { toArray } from "../../data/arrays.ts";
import { DATA } from "../../data/data.ts";
import { type Random, randomOf } from "../../data/random.ts";
import { specials } from "../../data/special.ts";

/** The data of one run. Elements of inputs and tables follow from the seed, their array's name and their position. */
export interface CaseRun {
  readonly seed: string;
  /** Items per dimension. */
  readonly globalSize: readonly number[];
  readonly globalOffset?: readonly number[];
  /** Small whole numbers and quarters only, so that sums and products keep their digits. Default: any value. */
  readonly ordinary?: true;
  /** Position of item 0 in the data. Default: 0. */
  readonly from?: number;
  /** Values of parameters. */
  readonly params?: Readonly<Record<string, Literal>>;
  /** Lengths of tables. */
  readonly tables?: Readonly<Record<string, number>>;
}

/** A pipeline and one run of it. */
export interface RandomCase {
  readonly pipeline: Pipeline;
  readonly run: CaseRun;
}

/** Of the highest word of a float: the bits that a subnormal number may have. */
const SUBNORMAL: Readonly<Partial<Record<Scalar, number>>> = {
  f16: 0x83ff,
  f32: 0x807fffff,
  f64: 0x800fffff,
};

/** @param mask the bits of the highest word that may be set */
function randomBits(type: Scalar, random: Random, mask: number = 0xffffffff): ScalarValue {
  const word = (random.bits() & mask) >>> 0;
  if (SCALARS[type].bits === 16) return SCALARS[type].fromHost(word & 0xffff);
  if (SCALARS[type].bits === 32) return bitcastValue("u32", type, word);
  return bitcastValue("u64", type, (BigInt(word) << 32n) | BigInt(random.bits()));
}

/** Any value of a type: special ones, random bits, and numbers of all kinds of {@link DATA}; a tenth or more of floats are subnormal. */
export function anyValue(type: Scalar, random: Random): ScalarValue {
  const { kind, bits, wrap } = SCALARS[type];
  const draw = random.unit();
  if (kind === "bool") return random.chance(0.5);
  if (kind === "float" && draw < 0.1) return randomBits(type, random, SUBNORMAL[type]);
  if (draw < 0.35) return random.pick(specials(type));
  if (draw < 0.55) return randomBits(type, random);
  if (draw < 0.75) {
    const small = random.int(kind === "uint" ? 0 : -8, 8);
    return wrap(bits === 64 && kind !== "float" ? BigInt(small) : small);
  }
  return wrap(random.pick(DATA[kind]).value(type, random, 0, 3));
}

/** A small whole number, of floats also a quarter of one. */
function ordinaryValue(type: Scalar, random: Random): ScalarValue {
  const { kind, whole, wrap } = SCALARS[type];
  if (kind === "float") return wrap(random.int(-16, 16) / 4);
  return whole(random.int(kind === "int" ? -8 : 0, kind === "bool" ? 1 : 8));
}

/** What the case passes to `run`. */
export function valuesOf({ pipeline, run }: RandomCase): {
  readonly values: RunValues;
  readonly options: RunOptions;
} {
  const { seed, from = 0, params = {}, tables = {}, globalSize, globalOffset, ordinary } = run;
  const valueAt = ordinary ? ordinaryValue : anyValue;
  const list = (name: string, type: ArrayType, first: number, length: number): ScalarValue[] =>
    Array.from({ length }, (_, i) => valueAt(valueTypeOf(type), randomOf(seed, name, first + i)));
  const values: Record<string, RunValues[string]> = {};
  for (const node of pipeline.nodes) {
    if (node.kind === "input")
      values[node.name] = toArray(node.type, list(node.name, node.type, from, itemsIn(globalSize)));
    else if (node.kind === "table")
      values[node.name] = toArray(node.type, list(node.name, node.type, 0, tables[node.name] ?? 0));
    else if (node.kind === "param")
      values[node.name] = decodeLiteral(node.type, params[node.name]) as ScalarValue;
  }
  return { values, options: { globalSize, ...(globalOffset && { globalOffset }) } };
}
