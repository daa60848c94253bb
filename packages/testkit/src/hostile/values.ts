/** Invalid arguments of calls, with the codes of their errors. */

export const detach = (array: { readonly buffer: ArrayBufferLike }): void => {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
};
export type Resizable = ArrayBuffer & { resize(bytes: number): void };
export const resizable = (bytes: number, most: number): Resizable =>
  new (ArrayBuffer as unknown as new (bytes: number, options: object) => Resizable)(bytes, {
    maxByteLength: most,
  });
function detached(): Float32Array {
  const array = Float32Array.of(1, 2);
  detach(array);
  return array;
}
function shrunk(): Float32Array {
  const buffer = resizable(16, 16);
  const array = new Float32Array(buffer, 8, 2);
  buffer.resize(8);
  return array;
}
export function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
export const throwing = (name: string): object =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get: () => {
      throw new TypeError("a getter");
    },
  });

/** Values that are not arrays of f32, and the codes of their errors. */
export const NO_ARRAYS: Readonly<Record<string, readonly [value: unknown, code: string]>> = {
  null: [null, "wrong-dtype"],
  "a list": [[1, 2], "wrong-dtype"],
  "an object": [{}, "wrong-dtype"],
  "an object without a prototype": [Object.create(null), "wrong-dtype"],
  "an object like an array": [{ length: 2, 0: 1, 1: 2 }, "wrong-dtype"],
  "an object with a tag": [{ [Symbol.toStringTag]: "Float32Array", length: 2 }, "wrong-dtype"],
  "a child of the prototype": [Object.create(Float32Array.prototype), "wrong-dtype"],
  "the prototype": [Float32Array.prototype, "wrong-dtype"],
  "a proxy": [new Proxy(Float32Array.of(1, 2), {}), "wrong-dtype"],
  "a revoked proxy": [revoked(), "wrong-dtype"],
  "a throwing constructor": [throwing("constructor"), "wrong-dtype"],
  "a constructor without a name": [{ constructor: { name: {} } }, "wrong-dtype"],
  "an Int32Array": [Int32Array.of(1, 2), "wrong-dtype"],
  "a Float64Array": [Float64Array.of(1, 2), "wrong-dtype"],
  "a Uint8ClampedArray": [Uint8ClampedArray.of(1, 2), "wrong-dtype"],
  "a DataView": [new DataView(new ArrayBuffer(8)), "wrong-dtype"],
  "an ArrayBuffer": [new ArrayBuffer(8), "wrong-dtype"],
  "a function": [() => Float32Array.of(1), "wrong-dtype"],
  "a detached array": [detached(), "detached"],
  "an array past its buffer": [shrunk(), "detached"],
};
/** Values that are not objects with properties. */
export const NO_RECORDS: Readonly<Record<string, unknown>> = {
  null: null,
  "a number": 5,
  "a string": "x",
  "a symbol": Symbol("x"),
  "a function": () => ({}),
  "a list": [Float32Array.of(1)],
  "a typed array": Float32Array.of(1),
  "a revoked proxy": revoked(),
};
/** Values that are not numbers of items, and the codes of their errors. */
export const NO_NUMBERS: Readonly<Record<string, readonly [value: unknown, code: string]>> = {
  null: [null, "bad-length"],
  NaN: [Number.NaN, "bad-length"],
  infinity: [Number.POSITIVE_INFINITY, "bad-length"],
  "a negative number": [-1, "bad-length"],
  "half a number": [0.5, "bad-length"],
  "more than all numbers": [2 ** 53, "bad-length"],
  "a bigint": [2n, "bad-length"],
  "a string": ["2", "bad-length"],
  "a boolean": [true, "bad-length"],
  "a symbol": [Symbol("2"), "bad-length"],
};

/** Invalid options, and the codes of their errors. */
export const NO_RANGES: Readonly<Record<string, readonly [options: object, code: string]>> = {
  "n, an empty object": [{ n: {} }, "bad-length"],
  "n, an object without a prototype": [{ n: Object.create(null) }, "bad-length"],
  "a size with an object": [{ globalSize: [{}] }, "bad-range"],
  "a size with an object without a prototype": [{ globalSize: [Object.create(null)] }, "bad-range"],
  "a size with undefined": [{ globalSize: [undefined] }, "bad-range"],
  "a size with a hole": [{ globalSize: new Array(1) }, "bad-range"],
  "a size with NaN": [{ globalSize: [Number.NaN] }, "bad-range"],
  "a size with a symbol": [{ globalSize: [Symbol("2")] }, "bad-range"],
  "a size with a bigint": [{ globalSize: BigUint64Array.of(2n) }, "bad-range"],
  "a negative size": [{ globalSize: [-2] }, "bad-range"],
  "an empty size": [{ globalSize: [] }, "bad-range"],
  "a size of two sides": [{ globalSize: [1, 2] }, "bad-range"],
  "null for a size": [{ globalSize: null }, "bad-range"],
  "a number for a size": [{ globalSize: 2 }, "bad-range"],
  "an object like a list": [{ globalSize: { length: 1, 0: 2 } }, "bad-range"],
  "a size that is a revoked proxy": [{ globalSize: revoked() }, "bad-range"],
  "a size that throws": [{ globalSize: Object.defineProperty([2], 0, { get: bang }) }, "bad-range"],
  "a size past all ids": [{ globalSize: [2 ** 32 + 1] }, "too-many-items"],
  "an offset past all ids": [{ globalSize: [2], globalOffset: [2 ** 32] }, "bad-range"],
  "null for an offset": [{ globalSize: [2], globalOffset: null }, "bad-range"],
  "an offset with an object": [{ globalSize: [2], globalOffset: [{}] }, "bad-range"],
  "an option that throws": [throwing("n"), "bad-argument"],
};
function bang(): never {
  throw new TypeError("a getter");
}
