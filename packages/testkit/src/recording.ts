/** What every runtime's arrays and recorders promise, as tests; `conformance` has what pipelines mean. */
import {
  check,
  contentKey,
  type DeviceArray,
  type Executable,
  GroupwiseError,
  type HostArray,
  type HostArrays,
  isSupported,
  type PipelineSource,
  pipelineOf,
  type Runtime,
  type RunValues,
  SCALARS,
  type Scalar,
} from "@groupwise/core";
import { bool, f32, i64, param, pipeline, u32 } from "@groupwise/dsl";
import { afterAll, describe, expect, test } from "vitest";
import { difference } from "./arrays.ts";
import { mixedData } from "./data.ts";
import type { Found } from "./devices/found.ts";
import { requireDevice } from "./devices/require-device.ts";
import { expected } from "./oracle.ts";

/** Keeps what is below a limit, in order, and how many that are. */
const below = pipeline("below", { x: f32, keep: bool, limit: param(f32) }, ({ x, keep, limit }) => {
  const where = x.lt(limit).and(keep);
  const to = where.toU32().scanExclusive("add");
  return { kept: x.scatter({ to, where }), count: where.toU32().reduce("add"), sums: x.scanInclusive("add") };
});
const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add"), all: x.reduce("max") }));
const centred = pipeline("centred", { x: u32 }, ({ x }) => ({
  y: x.sub(x.reduce("min")).scanExclusive("add"),
}));
const shifted = pipeline("shifted", { x: u32 }, ({ x }, { index }) => ({
  y: x.scatter({ to: index().add(1) }),
}));

/** In order: what stands in an input's array, whether it can, and the reason where it cannot. */
const IN_PLACE: readonly [string, PipelineSource, Readonly<Record<string, string>>, RegExp?][] = [
  ["a map", pipeline("twice", { x: f32 }, ({ x }) => ({ y: x.mul(2) })), { y: "x" }],
  ["a scan", sums, { y: "x" }],
  ["a scan of words", pipeline("wide", { x: i64 }, ({ x }) => ({ y: x.scanExclusive("max") })), { y: "x" }],
  [
    "a scan of work-groups",
    pipeline("groups", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add", { scope: "work-group" }) })),
    { y: "x" },
  ],
  [
    "two of two",
    pipeline("both", { a: u32, b: u32 }, ({ a, b }) => ({ y: a.add(b), z: a.scanInclusive("xor") })),
    { z: "a", y: "b" },
  ],
  ["what later passes need", centred, { y: "x" }],
  [
    "what a later pass reads again",
    pipeline("later", { x: u32 }, ({ x }) => {
      const y = x.scanInclusive("add");
      return { y, z: x.mul(y.reduce("max")).scanInclusive("add", { scope: "work-group" }) };
    }),
    { y: "x" },
    /after|again|another|overwritten/,
  ],
  ["a total", sums, { all: "x" }, /each item/],
  ["another type", below, { count: "x" }, /u32/],
  ["a scatter", below, { kept: "x" }, /scatter/],
  ["no input", sums, { y: "z" }, /no such input/],
  ["no output", sums, { w: "x" }, /no such output/],
  [
    "one input for two",
    pipeline("one", { x: u32 }, ({ x }) => ({ y: x.add(1), z: x })),
    { y: "x", z: "x" },
    /another/,
  ],
];

const SIZES = [0, 1, 2, 5, 63, 64, 65, 1021, 2047, 2048, 2049, 6007];

/** Tests of device arrays and recorders on a runtime. */
export function recording(title: string, probe: () => Found<Runtime> | Promise<Found<Runtime>>): void {
  let opened: Promise<Found<Runtime>> | undefined;
  const on = (name: string, body: (runtime: Runtime) => Promise<void>): void =>
    test(name, async (context) => {
      const runtime = await requireDevice(context, () => (opened ??= Promise.resolve(probe())));
      await body(runtime).catch((error: GroupwiseError) => {
        // It says so itself, and of few types only.
        if (error.code !== "unsupported" || runtime.capabilities.execution !== "gather") throw error;
        context.skip(error.what);
      });
    });

  describe(`${title} keeps arrays and records steps`, () => {
    afterAll(async () => {
      const runtime = await opened?.catch(() => undefined);
      if (runtime?.found) runtime.value.dispose();
    });

    for (const type of Object.keys(SCALARS) as Scalar[]) {
      on(`arrays of ${type}: writes, reads and slices`, async (runtime) => {
        if (!isSupported(runtime.capabilities.scalars[type])) return;
        const data = mixedData(type, 1000, type, false);
        const array = runtime.array(type, data as never) as DeviceArray<Scalar>;
        expect([array.length, array.type]).toEqual([1000, type]);
        expect(difference(type, await array.read(), data)).toBeUndefined();
        const part = array.slice(256, 768).slice(0, 300);
        expect(difference(type, await part.read(), data.subarray(256, 556) as HostArray)).toBeUndefined();
        const odd = array.slice(3, 10);
        const other = mixedData(type, 7, "other", false);
        odd.write(other as never);
        const want = data.slice() as HostArray;
        want.set(other as never, 3);
        expect(difference(type, await array.read(), want)).toBeUndefined();
        expect(Array.from(await runtime.array(type, 5).read(), Number)).toEqual([0, 0, 0, 0, 0]);
        expect(await array.slice(4, 4).read()).toHaveLength(0);
        expect(await runtime.array(type, 0).read()).toHaveLength(0);
        array.dispose();
        await expect(part.read()).rejects.toMatchObject({ code: "disposed" });
      });
    }

    on("refuses values and slices that do not fit", async (runtime) => {
      const array = runtime.array("u32", 4);
      const code = (act: () => unknown): unknown => {
        try {
          act();
        } catch (error) {
          return (error as GroupwiseError).code;
        }
        return undefined;
      };
      expect(code(() => array.write(new Float32Array(4) as never))).toBe("wrong-dtype");
      expect(code(() => array.write(new Uint32Array(5)))).toBe("bad-buffer");
      expect(code(() => array.slice(3, 2))).toBe("bad-slice");
      expect(code(() => array.slice(0, 5))).toBe("bad-slice");
      expect(code(() => array.slice(0.5))).toBe("bad-slice");
      expect(code(() => runtime.array("u32", -1))).toBe("bad-length");
      expect(code(() => runtime.array("u32", new Float32Array(1) as never))).toBe("wrong-dtype");
    });

    on("one executable with changing n, in dirty scratch: scatter, reduce and scan", async (runtime) => {
      const executable = await runtime.compile(below);
      const most = Math.max(...SIZES);
      const scratch = garbage(runtime, "u32", Math.ceil(executable.scratchBytes(most) / 4));
      const x = mixedData("f32", most, "x", false) as Float32Array;
      const keep = mixedData("bool", most, "keep", false) as Uint8Array;
      const given = { x: runtime.array("f32", x), keep: runtime.array("bool", keep) };
      for (const n of [...SIZES, ...SIZES.toReversed()]) {
        const out = {
          kept: garbage(runtime, "f32", n),
          count: garbage(runtime, "u32", 1),
          sums: garbage(runtime, "f32", most),
        };
        await runtime
          .record()
          .run(executable, { ...given, ...out, limit: 0.5 }, { n, scratch })
          .submit();
        const values = { x: x.subarray(0, n), keep: keep.subarray(0, n), limit: 0.5 };
        expect(await wrong(below, values, n, out)).toEqual([]);
        for (const array of Object.values(out)) array.dispose();
      }
    });

    on("steps of one recorder keep their own n and parameters, with scatter", async (runtime) => {
      const [first, second] = [await runtime.compile(below), await runtime.compile(sums)];
      const recorder = runtime.record();
      const checks: (() => Promise<string[]>)[] = [];
      for (const [i, n] of [700, 0, 5000, 1, 2049].entries()) {
        const x = mixedData("f32", n, `x ${i}`, false) as Float32Array;
        const keep = mixedData("bool", n, `keep ${i}`, false) as Uint8Array;
        const out = {
          kept: garbage(runtime, "f32", n),
          count: garbage(runtime, "u32", 1),
          sums: garbage(runtime, "f32", n),
        };
        const array = runtime.array("f32", x);
        recorder.run(first, { x: array, keep: runtime.array("bool", keep), limit: i / 4, ...out });
        const other = { y: garbage(runtime, "f32", n), all: garbage(runtime, "f32", 1) };
        recorder.run(second, { x: array, ...other });
        checks.push(
          () => wrong(below, { x, keep, limit: i / 4 }, n, out),
          () => wrong(sums, { x }, n, other),
        );
      }
      await recorder.submit();
      for (const one of checks) expect(await one()).toEqual([]);
      await recorder.submit(); // nothing is left in it
    });

    on("a count that a scatter leaves feeds the next step, without a read", async (runtime) => {
      const [first, second] = [await runtime.compile(below), await runtime.compile(sums)];
      const n = 5003;
      const x = mixedData("f32", n, "x", false) as Float32Array;
      const all = new Uint8Array(n).fill(1);
      const given = { x: runtime.array("f32", x), keep: runtime.array("bool", all) };
      const kept = runtime.array("f32", n);
      for (const limit of [Number.NEGATIVE_INFINITY, -0.5, 0, 1, Number.POSITIVE_INFINITY]) {
        const counts = runtime.array("u32", 300).slice(256);
        const scratch = garbage(runtime, "u32", Math.ceil(second.scratchBytes(n) / 4));
        const [y, top] = [garbage(runtime, "f32", n), garbage(runtime, "f32", 1)];
        const work = runtime
          .record()
          .run(first, { ...given, limit, kept, count: counts.slice(0, 1), sums: runtime.array("f32", n) })
          .run(second, { x: kept, y, all: top }, { n: { count: counts, max: n }, scratch });
        await work.submit();
        const left = x.filter((v) => v < limit);
        expect((await counts.read())[0]).toBe(left.length);
        const out = { y: y.slice(0, left.length), all: top };
        expect(await wrong(sums, { x: left }, left.length, out)).toEqual([]);
        // Past the count nothing was written.
        expect((await y.read()).subarray(left.length).every((v) => Object.is(v, GARBAGE.f32))).toBe(true);
      }
    });

    on("counts from 0 to more than the most, wherever they stand", async (runtime) => {
      const executable = await runtime.compile(sums);
      const max = 4999;
      const x = mixedData("f32", max, "x", false) as Float32Array;
      const array = runtime.array("f32", x);
      const told = [0, 1, 2, 2047, 2048, 2049, 4801, 4999, 5000, 4294967295];
      const count = runtime.array("u32", Uint32Array.from([7, ...told])).slice(1);
      const recorder = runtime.record();
      const outs = told.map((_, at) => {
        const out = { y: garbage(runtime, "f32", max), all: garbage(runtime, "f32", 1) };
        recorder.run(executable, { x: array, ...out }, { n: { count, at, max } });
        return out;
      });
      await recorder.submit();
      for (const [i, { y, all }] of outs.entries()) {
        const n = Math.min(told[i] as number, max);
        expect(await wrong(sums, { x: x.subarray(0, n) }, n, { y: y.slice(0, n), all })).toEqual([]);
      }
    });

    on("slices of one array, at aligned places", async (runtime) => {
      const executable = await runtime.compile(centred);
      const step = Math.max(1, runtime.sliceAlignment / 4);
      const from = runtime.array(
        "u32",
        Uint32Array.from({ length: 40 * step + 900 }, (_, i) => (i * 7919) % 1000),
      );
      const to = runtime.array("u32", from.length);
      for (const [at, n] of [
        [0, 900],
        [step, 17],
        [3 * step, 511],
      ] as const) {
        const [x, y] = [from.slice(at, at + n), to.slice(at, at + n)];
        await runtime.record().run(executable, { x, y }).submit();
        expect(await wrong(centred, { x: await x.read() }, n, { y })).toEqual([]);
      }
      if (runtime.sliceAlignment <= 4) return;
      const bad = (): unknown => runtime.record().run(executable, { x: from.slice(1, 9), y: to.slice(0, 8) });
      expect(bad).toThrowError(expect.objectContaining({ code: "bad-buffer" }));
    });

    on("calls take effect in their order", async (runtime) => {
      const executable = await runtime.compile(pipeline("next", { x: u32 }, ({ x }) => ({ y: x.add(1) })));
      const [a, b] = [runtime.array("u32", 3000), runtime.array("u32", 3000)];
      a.write(new Uint32Array(3000).fill(5));
      const first = runtime.record().run(executable, { x: a, y: b }).run(executable, { x: b, y: a }).submit();
      const seen = a.read();
      a.write(new Uint32Array(3000).fill(40));
      const second = runtime.record().run(executable, { x: a, y: b }).submit();
      const last = b.read();
      expect(new Set(await seen)).toEqual(new Set([7]));
      expect(new Set(await last)).toEqual(new Set([41]));
      await Promise.all([first, second]);
    });

    on("equal pipelines share what was compiled, until the last is disposed", async (runtime) => {
      const copy = JSON.parse(JSON.stringify(pipelineOf(centred)));
      expect(contentKey(copy)).toBe(contentKey(pipelineOf(centred)));
      const [one, two] = await Promise.all([runtime.compile(centred), runtime.compile(copy)]);
      one.dispose();
      one.dispose();
      const x = Uint32Array.from([4, 6, 9]);
      await expect(one.run({ x })).rejects.toMatchObject({ code: "disposed" });
      expect(await two.run({ x })).toEqual({ y: Uint32Array.from([0, 0, 2]) });
      const [a, b] = [runtime.array("u32", x), runtime.array("u32", 3)];
      const recorder = runtime.record().run(two, { x: a, y: b });
      expect(() => runtime.record().run(one, { x: a, y: b })).toThrowError(
        expect.objectContaining({ code: "disposed" }),
      );
      two.dispose();
      await expect(recorder.submit()).rejects.toMatchObject({ code: "disposed" });
      const again = await runtime.compile(centred);
      await runtime.record().run(again, { x: a, y: b }).submit();
      expect(await b.read()).toEqual(Uint32Array.from([0, 0, 2]));
      a.dispose();
      expect(() => runtime.record().run(again, { x: a, y: b })).toThrowError(
        expect.objectContaining({ code: "disposed" }),
      );
      again.dispose();
    });

    on("a scatter outside is told at submit, by the pipeline's name; other steps run", async (runtime) => {
      const [bad, good] = [await runtime.compile(shifted), await runtime.compile(centred)];
      const x = runtime.array("u32", Uint32Array.from([7, 8, 9]));
      const [y, z] = [runtime.array("u32", 3), runtime.array("u32", 3)];
      const recorder = runtime.record().run(good, { x, y: z }).run(bad, { x, y }).run(good, { x: z, y: x });
      await expect(recorder.submit()).rejects.toMatchObject({
        code: "scatter-outside",
        where: expect.stringContaining("shifted"),
      });
      expect(await y.read()).toEqual(Uint32Array.from([0, 7, 8]));
      expect(await x.read()).toEqual(Uint32Array.from([0, 0, 0]));
      await runtime.record().run(good, { x, y }).submit();
    });

    on("small scratch, and arrays and pipelines of another runtime", async (runtime) => {
      const executable = await runtime.compile(sums);
      const arrays = {
        x: runtime.array("f32", 9000),
        y: runtime.array("f32", 9000),
        all: runtime.array("f32", 1),
      };
      const need = executable.scratchBytes(9000);
      if (need > 4) {
        const scratch = runtime.array("u32", Math.ceil(need / 4) - 1);
        expect(() => runtime.record().run(executable, arrays, { scratch })).toThrowError(
          expect.objectContaining({ code: "bad-buffer" }),
        );
      }
      const foreign = { ...executable } as Executable;
      expect(() => runtime.record().run(foreign, arrays)).toThrowError(
        expect.objectContaining({ code: "foreign-device" }),
      );
      const x = {
        ...arrays.x,
        slice: () => x,
        write: () => {},
        read: arrays.y.read,
        dispose: () => {},
      } as never as DeviceArray;
      expect(() => runtime.record().run(executable, { ...arrays, x })).toThrowError(
        expect.objectContaining({ code: "foreign-device" }),
      );
    });

    for (const [name, source, inPlace, reason] of IN_PLACE) {
      on(`${reason ? "refuses " : ""}in place: ${name}`, async (runtime) => {
        const ir = pipelineOf(source);
        const types = check(ir).inputs.map(({ type }) => type);
        if (types.some((type) => !isSupported(runtime.capabilities.scalars[type]))) return;
        const compiled = runtime.compile(source, { inPlace }).catch((error: GroupwiseError) => error);
        const executable = await compiled;
        if ("code" in executable && executable.code === "unsupported") throw executable;
        if (reason)
          expect(executable).toMatchObject({ code: "in-place-refused", what: expect.stringMatching(reason) });
        if (executable instanceof GroupwiseError) {
          // What runs cell by cell makes a new array of every pass.
          if (runtime.capabilities.execution === "gather") expect(executable.code).toBe("in-place-refused");
          else if (!reason) throw executable;
          return;
        }
        for (const n of [0, 1, 700, 4801]) await inPlaceAgrees(runtime, executable, source, n);
        executable.dispose();
      });
    }
  });
}

const GARBAGE = { f32: -12345, u32: 0xdeadbeef } as const;

function garbage<S extends "f32" | "u32">(runtime: Runtime, type: S, length: number): DeviceArray<S> {
  const values = new SCALARS[type].array(length) as HostArray & { fill(value: number): unknown };
  values.fill(GARBAGE[type]);
  return runtime.array(type, values as never);
}

/** Where arrays differ from what the reference leaves in them, which may be shorter. */
async function wrong(
  source: PipelineSource,
  values: RunValues,
  n: number,
  out: Readonly<Record<string, DeviceArray>>,
): Promise<string[]> {
  const checked = check(pipelineOf(source));
  const want = expected(checked, values, { n });
  const found: string[] = [];
  for (const [name, array] of Object.entries(out)) {
    const got = (await array.read()).subarray(0, want[name]?.length) as HostArray;
    const text = difference(array.type, got, want[name] as HostArray)?.text;
    if (text !== undefined) found.push(`${checked.pipeline.name} of ${n}: ${name}${text}`);
  }
  return found;
}

async function inPlaceAgrees(
  runtime: Runtime,
  executable: Executable,
  source: PipelineSource,
  n: number,
): Promise<void> {
  const checked = check(pipelineOf(source));
  const values = Object.fromEntries(
    checked.inputs.map(({ name, type }) => [name, mixedData(type, n, `${name} ${n}`, false)]),
  );
  const before = Object.fromEntries(Object.entries(values).map(([name, array]) => [name, array.slice()]));
  const got = await executable.run(values, { n });
  const want = expected(checked, before as RunValues, { n });
  for (const { name, id } of checked.sinks)
    expect(difference(checked.types[id] as Scalar, got[name], want[name] as HostArray)).toBeUndefined();
  expect(values).toEqual(before);
  const arrays: Record<string, DeviceArray> = {};
  for (const { name, type } of checked.inputs)
    arrays[name] = runtime.array(type, values[name] as HostArrays[Scalar] as never);
  const { bindings } = executable.manifest;
  const outputs = checked.sinks.map(({ name, id }) => {
    const taken = bindings.find((binding) => binding.name === name)?.inPlace;
    const array =
      taken === undefined ? runtime.array(checked.types[id] as Scalar, Math.max(1, n)) : arrays[taken];
    if (taken === undefined) arrays[name] = array as DeviceArray;
    return [name, array as DeviceArray] as const;
  });
  await runtime.record().run(executable, arrays, { n }).submit();
  const found = await wrong(source, before as RunValues, n, Object.fromEntries(outputs));
  expect(found).toEqual([]);
}
