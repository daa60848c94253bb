/** The Arrow type of each type of elements, by its number and properties, which are the same in every copy and version of apache-arrow. */
import type { ArrayType } from "@groupwise/core";
import { ARRAY_TYPES } from "@groupwise/core/target";
import {
  Bool,
  type DataType,
  Float16,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  Precision,
  Type,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
} from "apache-arrow";

/** The parts of a type that decide which elements a column has. */
export interface TypeLike {
  readonly typeId: number;
  readonly bitWidth?: number;
  readonly isSigned?: boolean;
  readonly precision?: number;
  readonly unit?: number;
  readonly scale?: number;
  /** Of a dictionary. */
  readonly indices?: TypeLike;
}

/** A row of {@link ARROW}. */
interface ArrowRow {
  /** A new type object, of this package's copy of apache-arrow. */
  readonly make: () => DataType;
  readonly traits: TypeLike;
}

const whole = (make: () => DataType, bitWidth: number, isSigned: boolean): ArrowRow => ({
  make,
  traits: { typeId: Type.Int, bitWidth, isSigned },
});
const float = (make: () => DataType, precision: Precision): ArrowRow => ({
  make,
  traits: { typeId: Type.Float, precision },
});

const u16 = whole(() => new Uint16(), 16, false);

/** Every type of elements. */
export const ARROW: Readonly<Record<ArrayType, ArrowRow>> = {
  i8: whole(() => new Int8(), 8, true),
  u8: whole(() => new Uint8(), 8, false),
  i16: whole(() => new Int16(), 16, true),
  u16,
  bf16: u16,
  i32: whole(() => new Int32(), 32, true),
  u32: whole(() => new Uint32(), 32, false),
  i64: whole(() => new Int64(), 64, true),
  u64: whole(() => new Uint64(), 64, false),
  f16: float(() => new Float16(), Precision.HALF),
  f32: float(() => new Float32(), Precision.SINGLE),
  f64: float(() => new Float64(), Precision.DOUBLE),
  bool: { make: () => new Bool(), traits: { typeId: Type.Bool } },
};

/** Whether a column of a type has such elements as they are. */
export const isExactly = (type: ArrayType, given: TypeLike): boolean =>
  Object.entries(ARROW[type].traits).every(([key, value]) => given[key as keyof TypeLike] === value);

/** Arrow's name of a type, which is that of its class. */
export const arrowName = (type: ArrayType): string => String(ARROW[type].make());

/** A type whose values are integers of another meaning. */
export interface Meaning {
  readonly type: ArrayType;
  /** What an integer stands for. */
  readonly note: string;
  /** The integers have 128 bits and are copied into 64. */
  readonly isWide?: boolean;
}

const UNITS = ["seconds", "milliseconds", "microseconds", "nanoseconds"] as const;
const unitOf = ({ unit = 0 }: TypeLike): string => UNITS[unit] ?? `units of ${unit}`;

const MEANINGS: Readonly<Record<number, (type: TypeLike) => Meaning | undefined>> = {
  [Type.Date]: ({ unit }) =>
    unit === 0 ? { type: "i32", note: "days since 1970" } : { type: "i64", note: "milliseconds since 1970" },
  [Type.Time]: (type) => ({
    type: type.bitWidth === 32 ? "i32" : "i64",
    note: `${unitOf(type)} of the day`,
  }),
  [Type.Timestamp]: (type) => ({ type: "i64", note: `${unitOf(type)} since 1970` }),
  [Type.Duration]: (type) => ({ type: "i64", note: unitOf(type) }),
  [Type.Decimal]: ({ bitWidth = 128, scale = 0 }) => {
    const note = `its decimals times 10^${scale}`;
    if (bitWidth === 32) return { type: "i32", note };
    return bitWidth > 128 ? undefined : { type: "i64", note, isWide: bitWidth === 128 };
  },
  [Type.Dictionary]: ({ indices }) => {
    const type = indices && ARRAY_TYPES.find((one) => isExactly(one, indices));
    return type && { type, note: "indices into its dictionary" };
  },
};

/** The integers of dates, times, decimals and dictionaries; undefined for other types. */
export const meaningOf = (type: TypeLike): Meaning | undefined => MEANINGS[type.typeId]?.(type);
