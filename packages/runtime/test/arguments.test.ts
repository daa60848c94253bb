import { runInNewContext } from "node:vm";
import {
  BOOLEAN,
  OBJECT,
  optional,
  optionsOf,
  recordOf,
  requireArguments,
  required,
  whole,
} from "@groupwise/ir/base/arguments.js";
import { SCALAR_NAMES, SCALARS } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, it } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import { hostView, kindOf, shown } from "../src/api/host-view.ts";
import { compileOptionsOf } from "../src/checks/arguments.ts";
import { newArray, sliceOf } from "../src/checks/checks.ts";

const bytesOf = (array: ArrayBufferView): number[] =>
  Array.from(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
const filled = (buffer: ArrayBufferLike): ArrayBufferLike => {
  new Uint8Array(buffer).forEach((_, i, all) => {
    all[i] = i + 1;
  });
  return buffer;
};
const resizable = (bytes: number): ArrayBuffer =>
  new (ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer)(bytes, {
    maxByteLength: 2 * bytes,
  });

describe("a host's array", () => {
  it("in plain memory is used in place, in other memory as a copy", () => {
    for (const type of SCALAR_NAMES) {
      const { array, hostBytes } = SCALARS[type];
      for (const [buffer, isCopy] of [
        [new ArrayBuffer(64), false],
        [new SharedArrayBuffer(64), true],
        [resizable(64), true],
      ] as const) {
        const of = array as unknown as new (
          buffer: ArrayBufferLike,
          at: number,
          length: number,
        ) => ArrayBufferView;
        const given = new of(filled(buffer), 8, 16 / hostBytes);
        const view = hostView(type, given, "x");
        expect(view).toBeInstanceOf(array);
        expect(view).not.toBe(given);
        expect(view.buffer === buffer, `${type} ${buffer.constructor.name}`).toBe(!isCopy);
        expect(bytesOf(view)).toEqual(Array.from({ length: 16 }, (_, i) => i + 9));
        expect((view.buffer as { resizable?: boolean }).resizable ?? false).toBe(false);
        expect(view.buffer).toBeInstanceOf(ArrayBuffer);
      }
    }
  });

  it("may come from another realm", () => {
    const foreign = runInNewContext("Float32Array.of(1, 2)") as Float32Array;
    expect(foreign).not.toBeInstanceOf(Float32Array);
    expect(hostView("f32", foreign, "x")).toEqual(Float32Array.of(1, 2));
  });

  it("may be empty, unless its memory is detached", () => {
    const empty = new Float32Array(0);
    expect(hostView("f32", empty, "x")).toHaveLength(0);
    structuredClone(empty.buffer, { transfer: [empty.buffer] });
    expect(errorFrom(() => hostView("f32", empty, "x"))).toMatchObject({ code: "detached" });
  });

  it("that only looks like a typed array is refused", () => {
    const got = (value: unknown): string => errorFrom(() => hostView("f32", value, "x")).what;
    expect(got(Object.create(Float32Array.prototype))).toMatch(/imitates Float32Array/);
    expect(got(new Proxy(new Float32Array(1), {}))).toMatch(/imitates Float32Array/);
    expect(got(new Float64Array(1))).toMatch(/is Float64Array/);
  });
});

describe("values in messages", () => {
  it("are printed, whatever they are", () => {
    const values = [null, undefined, 5, -0, 5n, true, "5", Symbol("5"), () => 5, [5], {}];
    const texts = "null,undefined,5,0,5n,true,the string 5,symbol,function,Array,Object,object".split(",");
    expect([...values, Object.create(null)].map(shown)).toEqual(texts);
    expect(kindOf({ constructor: { name: "a b\u202e" } })).toBe("object");
  });
});

describe("objects of a caller", () => {
  it("are read once, also properties with names of prototypes", () => {
    const reads: string[] = [];
    const given = new Proxy(JSON.parse('{ "__proto__": 1, "constructor": 2 }'), {
      get: (of, name) => {
        reads.push(String(name));
        return Reflect.get(of, name);
      },
    });
    const record = recordOf(given, "it");
    expect(Object.entries(record)).toEqual([
      ["__proto__", 1],
      ["constructor", 2],
    ]);
    expect(reads).toEqual(["__proto__", "constructor"]);
  });

  it("may have options from a prototype, and undefined ones", () => {
    const given = Object.assign(Object.create({ n: 3 }), { globalSize: undefined });
    expect(optionsOf(given, ["n", "globalSize", "max"], "it")).toEqual({ n: 3 });
    expect(optionsOf(undefined, ["n"], "it")).toEqual({});
  });

  it("have no names but those of the schema, of which the nearest is named", () => {
    const schema = { descending: BOOLEAN, inPlace: OBJECT, n: required(whole(0, 9)) };
    const errorOf = (given: object) => errorFrom(() => optionsOf(given, schema, "it"));
    for (const [name, near] of [
      ["desc", "descending"],
      ["inplace", "inPlace"],
      ["N", "n"],
      ["decending", "descending"],
    ])
      expect(errorOf({ [name as string]: 1 })).toMatchObject({
        code: "bad-usage",
        hint: expect.stringContaining(`did you mean "${near}"?`),
      });
    expect(errorOf({ k: 1 }).hint).toBe("known options: descending, inPlace, n");
    expect(errorOf({ other: undefined }).hint).toBe("known options: descending, inPlace, n");
    for (const given of [{}, { n: 10 }, { n: 1, descending: 0 }, { n: 1.5 }])
      expect(errorOf(given).code).toBe("bad-argument");
    expect(optionsOf({ n: 9, descending: false }, schema, "it")).toEqual({ n: 9, descending: false });
    expect(optionsOf({ n: 9, spare: 1 }, schema, "it", "", ["spare"])).toEqual({ n: 9 });
  });

  it("keep a thrown error as the cause", () => {
    const cause = new RangeError("mine");
    const given = {
      get n(): never {
        throw cause;
      },
    };
    expect(errorFrom(() => optionsOf(given, ["n"], "it"))).toMatchObject({ code: "bad-argument", cause });
  });

  it("report which outputs are in place", () => {
    expect(compileOptionsOf(undefined)).toEqual({});
    expect(compileOptionsOf({ inPlace: { y: "x" } })).toEqual({ inPlace: { y: "x" } });
    expect(errorFrom(() => compileOptionsOf({ inPlace: { y: ["x"] } }))).toMatchObject({
      code: "bad-argument",
    });
  });
});

describe("arguments in their order", () => {
  const schema = { rows: required(whole(1)), name: optional(BOOLEAN) };
  const check = (...given: unknown[]): void => requireArguments(given, "f", schema, "sums");

  it("are each what their place wants", () => {
    check(1);
    check(1, true);
    expect(errorFrom(() => check()).code).toBe("bad-argument");
    expect(errorFrom(() => check(1, 2)).code).toBe("bad-argument");
  });

  it("are followed by no options, but by what `map` passes", () => {
    check(1, true, 0, [1]);
    check(1, true, {});
    const error = errorFrom(() => check(1, true, { fast: true }));
    expect([error.code, error.where]).toEqual(["bad-usage", "sums"]);
  });

  it("need only names where another check reads them", () => {
    requireArguments(["anything"], "f", ["rows"]);
    expect(errorFrom(() => requireArguments(["anything", { fast: true }], "f", ["rows"])).code).toBe(
      "bad-usage",
    );
  });
});

describe("sizes", () => {
  it("of arrays end at 1 TiB of device memory", () => {
    expect(newArray("u32", 2 ** 38)).toEqual({ length: 2 ** 38 });
    expect(newArray("bool", 2 ** 38)).toEqual({ length: 2 ** 38 });
    expect(errorFrom(() => newArray("u32", 2 ** 38 + 1))).toMatchObject({ code: "bad-length" });
    expect(errorFrom(() => newArray("f64", 2 ** 37 + 1))).toMatchObject({ code: "bad-length" });
  });

  it("of slices are whole numbers in order", () => {
    expect(sliceOf(5, 0, undefined)).toEqual([0, 5]);
    expect(sliceOf(5, 5)).toEqual([5, 5]);
    for (const [from, to] of [[undefined], [0, null], [3, 2], [0, 6], ["0", 1], [0n, 1], [{}, 1]] as const)
      expect(errorFrom(() => sliceOf(5, from, to))).toMatchObject({ code: "bad-slice" });
  });
});
