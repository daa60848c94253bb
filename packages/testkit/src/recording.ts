/** What every runtime's arrays and recorders promise, as tests; `conformance` has what pipelines mean. */
import {
  check,
  type DeviceArray,
  type Executable,
  GroupwiseError,
  type HostArray,
  type HostArrays,
  type PipelineSource,
  type Runtime,
  type RunValues,
  type Scalar,
} from "@groupwise/core";
import { isSupported, pipelineOf, SCALARS } from "@groupwise/core/target";
import { afterAll, describe, expect, test } from "vitest";
import { difference } from "./data/arrays.ts";
import { mixedData } from "./data/data.ts";
import { expected } from "./data/oracle.ts";
import type { Found } from "./devices/found.ts";
import { requireDevice } from "./devices/require-device.ts";
import { type On, orderTests } from "./recording-order.ts";
import { below, centred, IN_PLACE, sums } from "./recording-pipelines.ts";
import { scalarTests } from "./scalar-outputs.ts";

const SIZES = [0, 1, 2, 5, 63, 64, 65, 1021, 2047, 2048, 2049, 6007];

/**
 * Tests of device arrays and recorders on a runtime.
 * @param only tests by name; all where it is absent
 */
export function recording(
  title: string,
  probe: () => Found<Runtime> | Promise<Found<Runtime>>,
  only: (name: string) => boolean = () => true,
): void {
  let opened: Promise<Found<Runtime>> | undefined;
  const on: On = (name, body) => {
    if (!only(name)) return;
    test(name, async (context) => {
      const runtime = await requireDevice(context, () => (opened ??= Promise.resolve(probe())));
      await body(runtime).catch((error: GroupwiseError) => {
        // It says so itself, and of few types only.
        if (error.code !== "unsupported" || runtime.capabilities.execution !== "per-output") throw error;
        context.skip(error.what);
      });
    });
  };

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

    orderTests(on);
    scalarTests(on);

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
          if (runtime.capabilities.execution === "per-output")
            expect(executable.code).toBe("in-place-refused");
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
    expect(
      difference(checked.types[id] as Scalar, got[name] as HostArray, want[name] as HostArray),
    ).toBeUndefined();
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
