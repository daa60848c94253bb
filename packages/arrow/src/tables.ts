/** The Arrow type of each type of elements. */
import type { ArrayType } from "@groupwise/core";
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

/** A row of {@link ARROW}. */
interface ArrowRow {
  /** Makes a new type object for each vector, as Arrow does. */
  readonly make: () => DataType;
  /** Whether a column of the type has such elements. */
  readonly fits: (type: DataType) => boolean;
}

const whole = (make: () => DataType, bits: number, signed: boolean): ArrowRow => ({
  make,
  fits: (type) => {
    const { typeId, bitWidth, isSigned } = type as DataType & { bitWidth?: number; isSigned?: boolean };
    return typeId === Type.Int && bitWidth === bits && isSigned === signed;
  },
});
const float = (make: () => DataType, wanted: Precision): ArrowRow => ({
  make,
  fits: (type) =>
    type.typeId === Type.Float && (type as DataType & { precision?: Precision }).precision === wanted,
});

const u16 = whole(() => new Uint16(), 16, false);

/** Every type of elements. There is none for dictionaries, texts, dates and decimals. */
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
  bool: { make: () => new Bool(), fits: (type) => type.typeId === Type.Bool },
};

/** Arrow's name of a type. */
export const arrowName = (type: ArrayType): string => String(ARROW[type].make());
