/** Calls that every runtime refuses, with the same error. */
import type { RunOptions, RunValues } from "@groupwise/core";
import { pipelineOf } from "@groupwise/core/target";
import { expect } from "vitest";
import { type Calls, codes, endOf, endsOf, type On, type Ready, scaled } from "./ends.ts";
import { NO_ARRAYS, NO_NUMBERS, NO_RANGES, NO_RECORDS, revoked, throwing } from "./values.ts";

const throwAll = (call: (value: never) => unknown): [Calls, Record<string, string>] => {
  const names = Object.keys(NO_RECORDS);
  return [
    Object.fromEntries(names.map((name) => [name, () => call(NO_RECORDS[name] as never)])),
    Object.fromEntries(names.map((name) => [name, "bad-argument"])),
  ];
};

const REFUSALS: Readonly<Record<string, (ready: Ready) => Promise<void>>> = {
  "undefined, and what is no pipeline": async ({ runtime, scale, fill }) => {
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
        "compile a promise": () => runtime.compile(Promise.resolve(scaled) as never),
        "a step of a promise": () => runtime.record().run(Promise.resolve(scale) as never, { y }),
        "scalar outputs of a number": () => runtime.compile({ ir: pipelineOf(scaled), scalars: 1 } as never),
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
      "compile a promise": "bad-argument",
      "a step of a promise": "bad-argument",
      "scalar outputs of a number": "bad-argument",
      "a step of an object": "foreign-device",
      "a step of a proxy": "foreign-device",
      "compile undefined": "bad-argument",
      "compile a string": "bad-argument",
      "compile an object": "bad-document",
      "compile a document that is null": "bad-document",
      "in place of a number": "bad-argument",
      "an array of undefined": "unknown-type",
    });
  },

  "types of arrays": async ({ runtime }) => {
    const names = [
      "u4",
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
  },

  "arrays of the host": async ({ runtime, scale }) => {
    const array = runtime.array("f32", 2);
    const calls = (call: (value: never) => unknown): Calls =>
      Object.fromEntries(
        Object.entries(NO_ARRAYS).map(([name, [value]]) => [name, () => call(value as never)]),
      );
    expect(await endsOf(calls((x) => scale.run({ x, k: 1 })))).toEqual(codes(NO_ARRAYS));
    expect(await endsOf(calls((x) => array.write(x)))).toEqual(codes(NO_ARRAYS));
    expect(await endsOf(calls((x) => runtime.array("f32", x)))).toEqual(codes(NO_ARRAYS));
    expect(await endOf(() => array.write(new Float32Array(3)))).toBe("bad-buffer");
  },

  numbers: async ({ runtime, scale, fill }) => {
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
    // No device has memory for these, and each call must fail quickly.
    for (const n of [2 ** 53 - 1, 2 ** 40])
      expect(await endOf(() => runtime.array("u32", n))).toBe("bad-length");
    const slices = calls((from) => y.slice(from));
    expect(new Set(Object.values(await endsOf(slices)))).toEqual(new Set(["bad-slice"]));
    const ends = calls((to) => y.slice(0, to));
    expect(new Set(Object.values(await endsOf(ends)))).toEqual(new Set(["bad-slice"]));
    const at = calls((at) => runtime.record().run(fill, { k: 1, y }, { n: { count, at, max: 2 } }));
    expect(new Set(Object.values(await endsOf(at)))).toEqual(new Set(["bad-buffer"]));
  },

  ranges: async ({ runtime, fill }) => {
    const calls = (call: (options: RunOptions) => unknown): Calls =>
      Object.fromEntries(
        Object.entries(NO_RANGES).map(([name, [options]]) => [name, () => call(options as RunOptions)]),
      );
    expect(await endsOf(calls((options) => fill.run({ k: 1 }, options)))).toEqual(codes(NO_RANGES));
    const y = runtime.array("f32", 2);
    const step = (options: RunOptions): unknown => runtime.record().run(fill, { k: 1, y }, options);
    expect(await endsOf(calls(step))).toEqual(codes(NO_RANGES));
  },

  "parameters and names": async ({ scale }) => {
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
  },

  "arrays of the device": async ({ runtime, scale }) => {
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
      if (i !== 5 && !isShort) expect(await step({}, { scratch: value ?? null }), `scratch ${i}`).toBe(code);
    }
    expect(await step({}, { n: { max: 2 } })).toBe("wrong-dtype");
    expect(await step({}, { n: [] })).toBe("bad-argument");
    expect(await step({}, { n: { count: x, max: 2 } })).toBe("wrong-dtype");
    expect(() => Object.assign(x, { length: 2 ** 30 })).toThrow(TypeError);
  },

  "what was disposed": async ({ runtime }) => {
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
  },
};

/** Calls that take an object, each called with values of other kinds. */
const TAKING: Readonly<Record<string, (ready: Ready, value: never) => unknown>> = {
  "values of run": ({ scale }, value) => scale.run(value),
  "options of run": ({ scale }, value) => scale.run({ x: Float32Array.of(1), k: 1 }, value),
  "options of compile": ({ runtime }, value) => runtime.compile(scaled, value),
  "in place": ({ runtime }, inPlace) => runtime.compile(scaled, { inPlace }),
  "arrays of a step": ({ runtime, scale }, value) => runtime.record().run(scale, value),
  "options of a step": ({ runtime, fill }, value) => {
    const y = runtime.array("f32", 1);
    return runtime.record().run(fill, { k: 1, y }, value);
  },
};

/** Tests of invalid arguments. */
export function refusals(on: On): void {
  for (const [what, call] of Object.entries(TAKING)) {
    on(what, async (ready) => {
      const [calls, want] = throwAll((value) => call(ready, value));
      expect(await endsOf(calls)).toEqual(want);
    });
  }
  for (const [name, body] of Object.entries(REFUSALS)) on(name, body);
}
