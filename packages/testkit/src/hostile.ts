/** Calls that no runtime may trip over, as tests: every one ends in the same error, or reads what stood there at the call. */
import {
  type DeviceArray,
  type Executable,
  GroupwiseError,
  type HostArrays,
  type RunOptions,
  type Runtime,
  type RunValues,
  type Scalar,
} from "@groupwise/core";
import { f32, param, pipeline } from "@groupwise/dsl";
import { afterAll, describe, expect, test } from "vitest";
import type { Found } from "./devices/found.ts";
import { requireDevice } from "./devices/require-device.ts";

const scaled = pipeline("scaled", { x: f32, k: param(f32) }, ({ x, k }) => ({ y: x.mul(k) }));
const constant = pipeline("constant", { k: param(f32) }, ({ k }) => ({ y: k.perItem() }));

/** What a call ends with: the code of its error, or what it is instead. */
async function endOf(call: () => unknown): Promise<string> {
  try {
    await call();
    return "no error";
  } catch (error) {
    if (error instanceof GroupwiseError) return error.code;
    return `bare ${String(error)}`;
  }
}

/** Ends of calls, by name. */
async function endsOf(calls: Readonly<Record<string, () => unknown>>): Promise<Record<string, string>> {
  const ends: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) ends[name] = await endOf(call);
  return ends;
}

const detach = (array: { readonly buffer: ArrayBufferLike }): void => {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
};
type Resizable = ArrayBuffer & { resize(bytes: number): void };
const resizable = (bytes: number, most: number): Resizable =>
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
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
const throwing = (name: string): object =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get: () => {
      throw new TypeError("a getter");
    },
  });

/** What is no array of f32, and the code of its error. */
const NO_ARRAYS: Readonly<Record<string, readonly [value: unknown, code: string]>> = {
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
const codes = (table: Readonly<Record<string, readonly [unknown, string]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([name, [, code]]) => [name, code]));

/** What is no object with properties to read. */
const NO_RECORDS: Readonly<Record<string, unknown>> = {
  null: null,
  "a number": 5,
  "a string": "x",
  "a symbol": Symbol("x"),
  "a function": () => ({}),
  "a list": [Float32Array.of(1)],
  "a typed array": Float32Array.of(1),
  "a revoked proxy": revoked(),
};
const throwAll = (
  call: (value: never) => unknown,
  code = "bad-argument",
): [Calls, Record<string, string>] => {
  const names = Object.keys(NO_RECORDS);
  return [
    Object.fromEntries(names.map((name) => [name, () => call(NO_RECORDS[name] as never)])),
    Object.fromEntries(names.map((name) => [name, code])),
  ];
};
type Calls = Readonly<Record<string, () => unknown>>;

/** What is no number of items, and the code of its error. */
const NO_NUMBERS: Readonly<Record<string, readonly [value: unknown, code: string]>> = {
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

/** What options can be wrong about, and the code of the error. */
const NO_RANGES: Readonly<Record<string, readonly [options: object, code: string]>> = {
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

interface Ready {
  readonly runtime: Runtime;
  readonly scale: Executable;
  readonly fill: Executable;
}

/** Tests of hostile calls, and of data that change under calls, on a runtime. */
export function hostile(title: string, probe: () => Found<Runtime> | Promise<Found<Runtime>>): void {
  let opened: Promise<Found<Runtime>> | undefined;
  const on = (name: string, body: (ready: Ready) => Promise<void>): void =>
    test(name, async (context) => {
      const runtime = await requireDevice(context, () => (opened ??= Promise.resolve(probe())));
      const [scale, fill] = [await runtime.compile(scaled), await runtime.compile(constant)];
      await body({ runtime, scale, fill });
    }, 60_000);

  describe(`${title} refuses what is no argument`, () => {
    for (const [what, call] of Object.entries<(ready: Ready, value: never) => unknown>({
      "values of run": ({ scale }, value) => scale.run(value),
      "options of run": ({ scale }, value) => scale.run({ x: Float32Array.of(1), k: 1 }, value),
      "options of compile": ({ runtime }, value) => runtime.compile(scaled, value),
      "in place": ({ runtime }, inPlace) => runtime.compile(scaled, { inPlace }),
      "arrays of a step": ({ runtime, scale }, value) => runtime.record().run(scale, value),
      "options of a step": ({ runtime, fill }, value) => {
        const y = runtime.array("f32", 1);
        return runtime.record().run(fill, { k: 1, y }, value);
      },
    })) {
      on(what, async (ready) => {
        const [calls, want] = throwAll((value) => call(ready, value));
        expect(await endsOf(calls)).toEqual(want);
      });
    }

    on("undefined, and what is no pipeline", async ({ runtime, scale, fill }) => {
      const y = runtime.array("f32", 2);
      const nothing = undefined as never;
      expect(
        await endsOf({
          "run without values": () => scale.run(nothing),
          "a step without arrays": () => runtime.record().run(scale, nothing),
          "a step of undefined": () => runtime.record().run(nothing, { y }),
          "a step of null": () => runtime.record().run(null as never, { y }),
          "a step of an object": () => runtime.record().run({} as never, { y }),
          "a step of a proxy": () => runtime.record().run(new Proxy(fill, {}), { k: 1, y }, { n: 2 }),
          "compile undefined": () => runtime.compile(nothing),
          "compile a string": () => runtime.compile("{}" as never),
          "compile an object": () => runtime.compile({} as never),
          "compile a document that is null": () => runtime.compile({ ir: null } as never),
          "in place of a number": () => runtime.compile(scaled, { inPlace: { y: 5 } as never }),
          "an array of undefined": () => runtime.array(nothing, 1),
        }),
      ).toEqual({
        "run without values": "bad-argument",
        "a step without arrays": "bad-argument",
        "a step of undefined": "bad-argument",
        "a step of null": "bad-argument",
        "a step of an object": "foreign-device",
        "a step of a proxy": "foreign-device",
        "compile undefined": "bad-argument",
        "compile a string": "bad-argument",
        "compile an object": "bad-document",
        "compile a document that is null": "bad-document",
        "in place of a number": "bad-argument",
        "an array of undefined": "unknown-type",
      });
    });

    on("types of arrays", async ({ runtime }) => {
      const names = [
        "u8",
        "float",
        "__proto__",
        "constructor",
        "",
        null,
        5,
        {},
        Object.create(null),
        Symbol("u32"),
      ];
      for (const type of names)
        expect(await endOf(() => runtime.array(type as never, 3)), typeof type).toBe("unknown-type");
    });

    on("arrays of the host", async ({ runtime, scale }) => {
      const array = runtime.array("f32", 2);
      const calls = (call: (value: never) => unknown): Calls =>
        Object.fromEntries(
          Object.entries(NO_ARRAYS).map(([name, [value]]) => [name, () => call(value as never)]),
        );
      expect(await endsOf(calls((x) => scale.run({ x, k: 1 })))).toEqual(codes(NO_ARRAYS));
      expect(await endsOf(calls((x) => array.write(x)))).toEqual(codes(NO_ARRAYS));
      expect(await endsOf(calls((x) => runtime.array("f32", x)))).toEqual(codes(NO_ARRAYS));
      expect(await endOf(() => array.write(new Float32Array(3)))).toBe("bad-buffer");
    });

    on("numbers", async ({ runtime, scale, fill }) => {
      const y = runtime.array("f32", 2);
      const count = runtime.array("u32", 1);
      const calls = (call: (value: never) => unknown): Calls =>
        Object.fromEntries(
          Object.entries(NO_NUMBERS).map(([name, [value]]) => [name, () => call(value as never)]),
        );
      const { null: _, ...others } = codes(NO_NUMBERS);
      expect(await endsOf(calls((n) => fill.run({ k: 1 }, { n })))).toEqual(codes(NO_NUMBERS));
      expect(await endsOf(calls((n) => scale.run({ x: Float32Array.of(1), k: 1 }, { n })))).toEqual(
        codes(NO_NUMBERS),
      );
      expect(await endsOf(calls((n) => runtime.record().run(fill, { k: 1, y }, { n })))).toEqual(
        codes(NO_NUMBERS),
      );
      const most = (max: never): unknown => runtime.record().run(fill, { k: 1, y }, { n: { count, max } });
      expect(await endsOf(calls(most))).toEqual(codes(NO_NUMBERS));
      expect(await endsOf(calls((sides) => fill.scratchBytes(sides)))).toEqual(codes(NO_NUMBERS));
      expect(await endsOf(calls((n) => runtime.array("f32", n)))).toEqual({ null: "wrong-dtype", ...others });
      // No device has room for these, and no call may try for long.
      for (const n of [2 ** 53 - 1, 2 ** 40])
        expect(await endOf(() => runtime.array("u32", n))).toBe("bad-length");
      const slices = calls((from) => y.slice(from));
      expect(new Set(Object.values(await endsOf(slices)))).toEqual(new Set(["bad-slice"]));
      const ends = calls((to) => y.slice(0, to));
      expect(new Set(Object.values(await endsOf(ends)))).toEqual(new Set(["bad-slice"]));
      const at = calls((at) => runtime.record().run(fill, { k: 1, y }, { n: { count, at, max: 2 } }));
      expect(new Set(Object.values(await endsOf(at)))).toEqual(new Set(["bad-buffer"]));
    });

    on("ranges", async ({ runtime, fill }) => {
      const calls = (call: (options: RunOptions) => unknown): Calls =>
        Object.fromEntries(
          Object.entries(NO_RANGES).map(([name, [options]]) => [name, () => call(options as RunOptions)]),
        );
      expect(await endsOf(calls((options) => fill.run({ k: 1 }, options)))).toEqual(codes(NO_RANGES));
      const y = runtime.array("f32", 2);
      const step = (options: RunOptions): unknown => runtime.record().run(fill, { k: 1, y }, options);
      expect(await endsOf(calls(step))).toEqual(codes(NO_RANGES));
    });

    on("parameters and names", async ({ scale }) => {
      const x = Float32Array.of(1);
      const run = (values: object): Promise<string> => endOf(() => scale.run(values as RunValues));
      const values = [
        null,
        undefined,
        "1",
        1n,
        true,
        {},
        Object.create(null),
        Symbol("1"),
        new Number(1),
        [1],
        x,
      ];
      for (const k of values) expect(await run({ x, k }), typeof k).toBe("bad-parameter");
      expect(await run({ x })).toBe("missing-input");
      expect(await run({ x, k: 1, z: x })).toBe("unknown-input");
      expect(await run(JSON.parse('{"__proto__": 1}'))).toBe("unknown-input");
      expect(await run(Object.create({ x, k: 1 }))).toBe("missing-input");
      expect(await run(Object.assign(throwing("x"), { k: 1 }))).toBe("bad-argument");
    });

    on("arrays of the device", async ({ runtime, scale }) => {
      const [x, y] = [runtime.array("f32", 2), runtime.array("f32", 2)];
      const step = (arrays: object, options?: object): Promise<string> =>
        endOf(() => runtime.record().run(scale, { x, k: 1, y, ...arrays }, options as never));
      const imitation = Object.create(Object.getPrototypeOf(x), {
        ...Object.getOwnPropertyDescriptors(x),
        length: { value: 2 ** 30 },
      });
      const gone = runtime.array("f32", 2);
      gone.dispose();
      const others: readonly (readonly [unknown, string])[] = [
        [null, "wrong-dtype"],
        [5, "wrong-dtype"],
        [Float32Array.of(1, 2), "wrong-dtype"],
        [new Proxy(Float32Array.of(1, 2), {}), "wrong-dtype"],
        [revoked(), "wrong-dtype"],
        [runtime.array("u32", 2), "wrong-dtype"],
        [new Proxy(x, {}), "foreign-device"],
        [imitation, "foreign-device"],
        [runtime.array("f32", 1), "bad-buffer"],
        [gone, "disposed"],
      ];
      for (const [i, [value, code]] of others.entries()) {
        const isShort = code === "bad-buffer";
        expect(await step({ y: value }), `y ${i}`).toBe(code);
        if (!isShort) expect(await step({ x: value }), `x ${i}`).toBe(code);
        if (i !== 5 && !isShort)
          expect(await step({}, { scratch: value ?? null }), `scratch ${i}`).toBe(code);
      }
      expect(await step({}, { n: { max: 2 } })).toBe("wrong-dtype");
      expect(await step({}, { n: [] })).toBe("bad-argument");
      expect(await step({}, { n: { count: x, max: 2 } })).toBe("wrong-dtype");
      expect(() => Object.assign(x, { length: 2 ** 30 })).toThrow(TypeError);
    });

    on("what was disposed", async ({ runtime }) => {
      const executable = await runtime.compile(scaled);
      const [x, y] = [runtime.array("f32", 2), runtime.array("f32", 2)];
      const recorder = runtime.record().run(executable, { x, k: 1, y });
      executable.dispose();
      y.dispose();
      expect(
        await endsOf({
          run: () => executable.run({ x: Float32Array.of(1), k: 1 }),
          step: () => runtime.record().run(executable, { x, k: 1, y }),
          submit: () => recorder.submit(),
          write: () => y.write(Float32Array.of(1)),
          read: () => y.read(),
          slice: () => y.slice(0),
        }),
      ).toEqual({
        run: "disposed",
        step: "disposed",
        submit: "disposed",
        write: "disposed",
        read: "disposed",
        slice: "disposed",
      });
    });
  });

  describe(`${title} reads its arguments before it returns`, () => {
    afterAll(async () => {
      const runtime = await opened?.catch(() => undefined);
      if (runtime?.found) runtime.value.dispose();
    });

    on("one array, filled anew between calls of run", async ({ scale }) => {
      const x = new Float32Array(5);
      const runs = [4, 8, 12].map((value) => scale.run({ x: x.fill(value), k: 1 }));
      x.fill(99);
      const found = (await Promise.all(runs)).map(({ y }) => Array.from(y as Float32Array));
      expect(found).toEqual([4, 8, 12].map((value) => [value, value, value, value, value]));
    });

    on("arrays that are detached or shrunk after the call", async ({ scale }) => {
      const [one, two] = [Float32Array.of(1, 2, 3), resizable(16, 32)];
      const tracking = new Float32Array(two);
      tracking.set([1, 2, 3, 4]);
      const fixed = new Float32Array(two, 4, 2);
      const runs = [
        scale.run({ x: one, k: 2 }),
        scale.run({ x: tracking, k: 2 }),
        scale.run({ x: fixed, k: 2 }),
      ];
      detach(one);
      two.resize(0);
      expect((await Promise.all(runs)).map(({ y }) => Array.from(y as Float32Array))).toEqual([
        [2, 4, 6],
        [2, 4, 6, 8],
        [4, 6],
      ]);
    });

    on("shared memory, which others write", async ({ runtime, scale }) => {
      const x = new Float32Array(new SharedArrayBuffer(12));
      x.set([1, 2, 3]);
      const run = scale.run({ x, k: 2 });
      const array = runtime.array("f32", x);
      const other = runtime.array("f32", 3);
      other.write(x);
      x.fill(99);
      expect(Array.from((await run).y as Float32Array)).toEqual([2, 4, 6]);
      expect(Array.from(await array.read())).toEqual([1, 2, 3]);
      expect(Array.from(await other.read())).toEqual([1, 2, 3]);
    });

    on("writes, also while steps run", async ({ runtime, scale }) => {
      const [x, y] = [runtime.array("f32", 4), runtime.array("f32", 4)];
      const source = new Float32Array(resizable(16, 16));
      const reads: Promise<HostArrays["f32"]>[] = [];
      const steps: Promise<void>[] = [];
      for (const value of [4, 8, 12]) {
        x.write(source.fill(value));
        source.fill(99);
        steps.push(runtime.record().run(scale, { x, k: 1, y }).submit());
        reads.push(y.read());
      }
      (source.buffer as Resizable).resize(0);
      await Promise.all(steps);
      expect((await Promise.all(reads)).map((all) => Array.from(all))).toEqual(
        [4, 8, 12].map((value) => [value, value, value, value]),
      );
    });

    on("options and lists that change after the call", async ({ runtime, fill }) => {
      const globalSize = [3];
      const options = { globalSize };
      const values = { k: 7 };
      const y = runtime.array("f32", 4);
      const count: DeviceArray<Scalar> = runtime.array("u32", Uint32Array.of(2));
      const n = { count: count as DeviceArray<"u32">, max: 3 };
      const arrays: Record<string, DeviceArray | number> = { k: 5, y };
      const recorder = runtime.record().run(fill, arrays, { n });
      const run = fill.run(values, options);
      globalSize[0] = 2 ** 30;
      Object.assign(options, { globalSize: "x" });
      Object.assign(n, { max: 2 ** 30, count: undefined });
      Object.assign(arrays, { k: 6, y: undefined });
      values.k = 9;
      expect(Array.from((await run).y as Float32Array)).toEqual([7, 7, 7]);
      await recorder.submit();
      expect(Array.from(await y.read())).toEqual([5, 5, 0, 0]);
    });

    on("values are looked at once, and arrays by what they are", async ({ scale }) => {
      let reads = 0;
      const values = {
        get x(): Float32Array {
          reads++;
          return Float32Array.of(1, 2);
        },
        get k(): number {
          reads++;
          return 3;
        },
      };
      expect(Array.from((await scale.run(values)).y as Float32Array)).toEqual([3, 6]);
      expect(reads).toBe(2);
      class Longer extends Float32Array {
        override get length(): number {
          return 2 ** 30;
        }
        static get [Symbol.species](): Float32ArrayConstructor {
          return Float64Array as never;
        }
      }
      const run = scale.run({ x: Longer.of(1, 2) as never, k: 3 });
      expect(Array.from((await run).y as Float32Array)).toEqual([3, 6]);
      // A getter that takes another input's memory away: the array is gone at the call.
      const x = Float32Array.of(1, 2);
      const taking = {
        x,
        get k(): number {
          detach(x);
          return 1;
        },
      };
      expect(await endOf(() => scale.run(taking))).toBe("detached");
    });
  });
}
