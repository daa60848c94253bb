/** Vectors of any copy and version of apache-arrow: an application may hold another one than this package imports. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { ARRAY_TYPES, arraySpec, having, type Wanted } from "@groupwise/core/target";
import { Data, type DataType, Vector } from "apache-arrow";
import { ARROW, arrowName, isExactly, type TypeLike } from "./tables.ts";

/** The layout of a chunk of a vector, as every copy of apache-arrow has it. */
export interface DataLike<A = unknown> {
  readonly length: number;
  /** Of the bitmaps: the item's values begin at the first. */
  readonly offset: number;
  readonly values: A;
  readonly nullBitmap?: unknown;
  readonly nullCount: number;
}

/** A vector by its layout. `A` is the array of its values. */
export interface VectorLike<A = unknown> {
  readonly type: { readonly typeId: number };
  readonly length: number;
  readonly data: readonly DataLike<A>[];
}

/** Whether a value has the layout of a vector. */
export function isVectorLike(value: unknown): value is VectorLike {
  if (typeof value !== "object" || value === null) return false;
  const { type, data, length } = value as Partial<VectorLike>;
  return typeof type?.typeId === "number" && Array.isArray(data) && Number.isSafeInteger(length);
}

type VectorClass = new (data: readonly object[]) => Vector<DataType>;
type DataClass = new (
  type: object,
  offset: number,
  length: number,
  nullCount: number,
  buffers: readonly [undefined, ArrayBufferView, Uint8Array | undefined],
) => object;

/** The classes of a copy of apache-arrow. */
export interface Classes {
  readonly Vector: VectorClass;
  readonly Data: DataClass;
  typeOf(type: ArrayType): object;
}

/** What `overColumns` uses of the module that an application imports. */
export interface ArrowLibrary {
  readonly Vector: unknown;
  readonly Data: unknown;
}

/** With a class for every type of results. */
export const ARROW_LIBRARY: Wanted = /*@__PURE__*/ having(
  "the module apache-arrow",
  ...["Vector", "Data", ...ARRAY_TYPES.map(arrowName)],
);

const OWN: Classes = {
  Vector: Vector as unknown as VectorClass,
  Data: Data as unknown as DataClass,
  typeOf: (type) => ARROW[type].make(),
};

/**
 * The classes that results are made with: those of a library, or of the columns, whose copy of apache-arrow writes and reads only its own ones.
 * @param columns the first vector decides
 */
export function classesOf(columns: readonly unknown[], library: ArrowLibrary | undefined): Classes {
  if (library) {
    const classes = library as unknown as Record<string, new () => object>;
    return {
      Vector: library.Vector as VectorClass,
      Data: library.Data as DataClass,
      typeOf: (type) => new (classes[arrowName(type)] as new () => object)(),
    };
  }
  const vectors = columns.filter(isVectorLike);
  const [first] = vectors;
  const chunk = vectors.find(({ data }) => data.length > 0)?.data[0];
  // `instanceof` holds for objects of other copies too.
  if (!first || !chunk || rootOf(chunk) === Data) return OWN;
  return {
    Vector: rootOf(first) as VectorClass,
    Data: chunk.constructor as DataClass,
    typeOf: (type) => vectors.find((one) => isExactly(type, one.type))?.type ?? derived(first.type, type),
  };
}

/** The class from which that of an object is derived. */
function rootOf(object: object): unknown {
  let root = object;
  for (let next = root; next !== Object.prototype; next = Object.getPrototypeOf(next)) root = next;
  return root.constructor;
}

/** A type of another copy, made with the base class of one of its types. */
function derived(of: object, type: ArrayType): object {
  const { array } = arraySpec(type);
  const { typeId, ...traits } = ARROW[type].traits;
  class Derived extends (rootOf(of) as new (typeId: number) => object) {
    get ArrayType(): new (
      length: number,
    ) => HostArray {
      return array;
    }
    override toString(): string {
      return arrowName(type);
    }
  }
  return Object.assign(new Derived(typeId), traits satisfies Omit<TypeLike, "typeId">);
}
