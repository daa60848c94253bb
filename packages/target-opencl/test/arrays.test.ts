/** Arrays that stay on the device, and recordings of steps over them. */
import type { DeviceArray, HostArrays, Recorder, Scalar } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import { bool, f32, param, pipeline, u32 } from "@groupwise/dsl";
import { requireDevice, sharedRuntime } from "@groupwise/testkit/conformance";
import fc from "fast-check";
import { beforeEach, describe, expect, type TestContext, test } from "vitest";
import { type OpenClRuntime, openclRuntime } from "../src/runtime.ts";
import { type Faults, injectFaults } from "./faults.ts";
import { errorFrom, pocl } from "./support.ts";

const shared = sharedRuntime(pocl);
const open = (context: TestContext): Promise<OpenClRuntime> => requireDevice(context, shared);

const scan = pipeline("scan", { x: u32 }, ({ x }) => ({
  sums: x.scanInclusive("add"),
  total: x.reduce("add"),
}));
const map = pipeline("map", { x: u32, by: param(u32) }, ({ x, by }) => ({ y: x.mul(by).add(1) }));
const compact = pipeline("compact", { x: u32 }, ({ x }) => {
  const keep = x.rem(2).eq(0);
  const to = keep.toU32().scanExclusive("add");
  const count = keep.toU32().reduce("add");
  return { kept: x.scatter({ to, where: keep, length: count }), count };
});
const floats = pipeline("floats", { x: f32 }, ({ x }) => ({ sums: x.scanInclusive("add") }));

const values = (n: number, seed = 1): Uint32Array =>
  Uint32Array.from({ length: n }, (_, i) => (Math.imul(i + seed, 2654435761) >>> 7) % 1000);
const sumsOf = (x: Uint32Array): Uint32Array => {
  let sum = 0;
  return x.map((v) => (sum = (sum + v) >>> 0));
};
const evens = (x: Uint32Array): Uint32Array => x.filter((v) => v % 2 === 0);

describe("an array", () => {
  const SAMPLES: { readonly [S in Scalar]: HostArrays[S] } = {
    i32: Int32Array.of(-1, 2 ** 31 - 1, -(2 ** 31)),
    u32: Uint32Array.of(1, 2 ** 32 - 1, 0),
    i64: BigInt64Array.of(-1n, 2n ** 63n - 1n, 5n),
    u64: BigUint64Array.of(2n ** 64n - 1n, 0n, 7n),
    f16: Uint16Array.of(0x3c00, 0x7e00, 0xffff),
    f32: Float32Array.of(-0, Number.NaN, 1e-45),
    f64: Float64Array.of(-0, Number.POSITIVE_INFINITY, 5e-324),
    bool: Uint8Array.of(1, 0, 1),
  };
  for (const type of Object.keys(SCALARS) as Scalar[]) {
    test(`of ${type} holds zeros, then what is written, also through slices`, async (context) => {
      const runtime = await open(context);
      const sample = SAMPLES[type] as HostArrays[typeof type];
      const made = runtime.array(type, sample);
      expect(await made.read()).toEqual(sample);
      const array = runtime.array(type, 7) as DeviceArray<typeof type>;
      expect([...(await array.read())].map(Number)).toEqual([0, 0, 0, 0, 0, 0, 0]);
      array
        .slice(1, 6)
        .slice(2)
        .write(sample as never);
      expect(await array.slice(3, 6).read()).toEqual(sample);
      expect([...(await array.slice(0, 3).read())].map(Number)).toEqual([0, 0, 0]);
      expect(await array.slice(7).read()).toHaveLength(0);
      for (const one of [made, array]) one.dispose();
    });
  }

  test("may be empty", async (context) => {
    const runtime = await open(context);
    const [none, sums, total] = [
      runtime.array("u32", 0),
      runtime.array("u32", new Uint32Array()),
      runtime.array("u32", 1),
    ];
    total.write(Uint32Array.of(9));
    await runtime
      .record()
      .run(await runtime.compile(scan), { x: none, sums, total })
      .submit();
    expect(await total.read()).toEqual(Uint32Array.of(0));
    expect(await sums.read()).toEqual(new Uint32Array());
  });

  test("refuses values that do not fit", async (context) => {
    const runtime = await open(context);
    const array = runtime.array("u32", 4);
    expect((await errorFrom(() => array.slice(3, 5))).code).toBe("bad-slice");
    expect((await errorFrom(() => array.slice(3, 2))).code).toBe("bad-slice");
    expect((await errorFrom(() => array.slice(0.5))).code).toBe("bad-slice");
    expect((await errorFrom(() => array.write(new Uint32Array(5)))).code).toBe("bad-buffer");
    expect((await errorFrom(() => array.write(new Float32Array(4) as never))).code).toBe("wrong-dtype");
    expect((await errorFrom(() => runtime.array("u32", -1))).code).toBe("bad-length");
    expect((await errorFrom(() => runtime.array("i32", new Uint32Array(1) as never))).code).toBe(
      "wrong-dtype",
    );
    const { maxAllocation } = runtime.info;
    const error = await errorFrom(() => runtime.array("u32", maxAllocation / 4 + 1));
    expect(error.code).toBe("device-limit");
    expect(error.message).toContain(`an array of ${maxAllocation / 4 + 1} elements of u32`);
    expect(error.message).toContain(String(maxAllocation + 4));
  });

  test("that was disposed is refused, also through its slices, and submitted work completes", async (context) => {
    const runtime = await open(context);
    const n = 100_000;
    const [x, sums, total] = [
      runtime.array("u32", values(n)),
      runtime.array("u32", n),
      runtime.array("u32", 1),
    ];
    const slice = x.slice(0, 4);
    const program = await runtime.compile(scan);
    const recorder = runtime.record().run(program, { x, sums, total });
    const done = recorder.submit();
    slice.dispose();
    expect(await slice.read()).toEqual(values(4));
    recorder.run(program, { x, sums, total });
    x.dispose();
    x.dispose();
    await done;
    expect(await sums.read()).toEqual(sumsOf(values(n)));
    for (const act of [
      () => x.read(),
      () => slice.read(),
      () => x.write(values(1)),
      () => x.slice(0),
      () => recorder.submit(),
      () => runtime.record().run(program, { x, sums, total }),
    ])
      expect((await errorFrom(act)).code).toBe("disposed");
  });
});

describe("a recording", () => {
  test("runs steps of several pipelines and sizes in order, each on the results of the previous", async (context) => {
    const runtime = await open(context);
    const [scans, maps, floatScans] = await Promise.all([
      runtime.compile(scan),
      runtime.compile(map),
      runtime.compile(floats),
    ]);
    const sizes = [1, 255, 0, 2048, 2049, 70_001];
    const recorder = runtime.record();
    const results = sizes.map((n, i) => {
      const x = runtime.array("u32", values(n, i));
      const [y, sums, total] = [runtime.array("u32", n), runtime.array("u32", n), runtime.array("u32", 1)];
      const f = runtime.array(
        "f32",
        Float32Array.from(values(n, i), (v) => v / 7),
      );
      const g = runtime.array("f32", n);
      recorder.run(maps, { x, y, by: i });
      recorder.run(floatScans, { x: f, sums: g });
      recorder.run(scans, { x: y, sums, total });
      return { n, i, sums, total, f, g };
    });
    await recorder.submit();
    for (const { n, i, sums, total, f, g } of results) {
      const want = sumsOf(values(n, i).map((v) => Math.imul(v, i) + 1));
      expect(await sums.read()).toEqual(want);
      expect(await total.read()).toEqual(Uint32Array.of(want.at(-1) ?? 0));
      expect(await g.read()).toEqual((await floatScans.run({ x: await f.read() })).sums);
    }
  });

  test("accepts longer arrays with n, and slices if the device allows them", async (context) => {
    const runtime = await open(context);
    const step = runtime.sliceAlignment / 4;
    const all = values(4 * step);
    const x = runtime.array("u32", all);
    const out = runtime.array("u32", 4 * step);
    const total = runtime.array("u32", 1);
    const program = await runtime.compile(scan);
    const n = step - 3;
    await runtime
      .record()
      .run(program, { x: x.slice(step), sums: out.slice(2 * step, 3 * step), total }, { n })
      .submit();
    const want = new Uint32Array(4 * step);
    want.set(sumsOf(all.slice(step, step + n)), 2 * step);
    expect(await out.read()).toEqual(want);
    const untyped = await runtime.compile(scan.ir);
    const recorder = runtime.record();
    const refused = async (arrays: Record<string, DeviceArray>, options = {}): Promise<string> =>
      (await errorFrom(() => recorder.run(untyped, arrays, options))).message;
    expect(await refused({ x: x.slice(1), sums: out, total }, { n })).toMatch(
      /not a multiple of \d+.*bad-buffer/,
    );
    expect(await refused({ x: x.slice(0, 3), sums: out, total }, { n })).toMatch(/needs \d+.*bad-buffer/);
    expect(await refused({ x, sums: x, total }, { n })).toMatch(/overlaps x.*bad-buffer/);
    expect(await refused({ x, sums: out })).toContain("missing-output");
    expect(await refused({ sums: out, total })).toContain("missing-input");
    expect(await refused({ x, sums: runtime.array("i32", 4 * step), total })).toContain("wrong-dtype");
    const other = await openclRuntime();
    expect(await refused({ x: other.array("u32", 4 * step), sums: out, total })).toContain("foreign-device");
    expect((await errorFrom(() => other.record().run(program, { x, sums: out, total }))).code).toBe(
      "foreign-device",
    );
    other.dispose();
  });

  test("shares a caller's scratch among sizes, whatever it contains", async (context) => {
    const runtime = await open(context);
    const program = await runtime.compile(floats);
    const sizes = [3, 100_000, 5000, 0, 70_000];
    const bytes = program.scratchBytes(100_000);
    expect(bytes).toBeGreaterThan(0);
    expect(program.scratchBytes(200_000)).toBeGreaterThanOrEqual(bytes);
    const scratch = runtime.array("u32", new Uint32Array(bytes / 4).fill(0x7fc00123));
    const recorder = runtime.record();
    const results = sizes.map((n) => {
      const x = runtime.array(
        "f32",
        Float32Array.from(values(n), (v) => v / 3),
      );
      const sums = runtime.array("f32", n);
      recorder.run(program, { x, sums }, { scratch });
      return { x, sums };
    });
    await recorder.submit();
    for (const { x, sums } of results)
      expect(await sums.read()).toEqual((await program.run({ x: await x.read() })).sums);
    const x = runtime.array("f32", 100_000);
    const small = runtime.array("u32", bytes / 4 - 1);
    const error = await errorFrom(() =>
      recorder.run(program, { x, sums: runtime.array("f32", 100_000) }, { scratch: small }),
    );
    expect(error.message).toContain(`needs ${bytes}`);
    expect(error.code).toBe("bad-buffer");
  });

  test("reports scatters outside of their arrays with the pipeline's name, and computes the others", async (context) => {
    const runtime = await open(context);
    const outside = await runtime.compile(
      pipeline("outside", { x: u32 }, ({ x }) => ({ there: x.scatter({ to: x }) })),
    );
    const run = (list: number[]): { recorder: Recorder; there: DeviceArray<"u32"> } => {
      const there = runtime.array("u32", list.length);
      return {
        there,
        recorder: runtime.record().run(outside, { x: runtime.array("u32", Uint32Array.from(list)), there }),
      };
    };
    const bad = run([0, 3, 1]);
    const good = run([2, 0, 1]);
    const [first, second] = await Promise.allSettled([bad.recorder.submit(), good.recorder.submit()]);
    expect(second.status).toBe("fulfilled");
    expect(await good.there.read()).toEqual(Uint32Array.of(0, 1, 2));
    expect((first as PromiseRejectedResult).reason.message).toMatch(/^outside: .*there.*scatter-outside/);
  });
});

describe("a number of items in device memory", () => {
  test("is used by the next step, for any value", async (context) => {
    const runtime = await open(context);
    const [compacts, scans] = [await runtime.compile(compact), await runtime.compile(scan)];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 5000, size: "max" }), async (list) => {
        const x = Uint32Array.from(list);
        const n = x.length;
        const input = runtime.array("u32", x);
        const [kept, sums, count, total] = [n, n, 1, 1].map((k) =>
          runtime.array("u32", k),
        ) as DeviceArray<"u32">[];
        await runtime
          .record()
          .run(compacts, { x: input, kept: kept as never, count: count as never })
          .run(
            scans,
            { x: kept as never, sums: sums as never, total: total as never },
            { n: { count: count as never, max: n } },
          )
          .submit();
        const want = sumsOf(evens(x));
        expect(await count?.read()).toEqual(Uint32Array.of(want.length));
        expect((await sums?.read())?.slice(0, want.length)).toEqual(want);
        expect(await total?.read()).toEqual(Uint32Array.of(want.at(-1) ?? 0));
        for (const array of [input, kept, sums, count, total]) array?.dispose();
      }),
      { numRuns: 15 },
    );
  });

  test("is limited to the maximum, may be any element, and does not change other elements", async (context) => {
    const runtime = await open(context);
    const program = await runtime.compile(map);
    const count = runtime.array("u32", Uint32Array.of(0, 2 ** 32 - 1, 3));
    const x = runtime.array("u32", values(6));
    for (const [at, max, want] of [
      [0, 6, 0],
      [1, 4, 4],
      [2, 6, 3],
    ] as const) {
      const y = runtime.array("u32", new Uint32Array(6).fill(77));
      await runtime.record().run(program, { x, y, by: 2 }, { n: { count, at, max } }).submit();
      const all = values(6).map((v, i) => (i < want ? 2 * v + 1 : 77));
      expect(await y.read()).toEqual(all);
    }
    const short = runtime.array("u32", 3);
    expect(
      (await errorFrom(() => runtime.record().run(program, { x, y: short, by: 1 }, { n: { count, max: 6 } })))
        .code,
    ).toBe("bad-buffer");
  });

  test("of 0 breaks no broadcast", async (context) => {
    const runtime = await open(context);
    const program = await runtime.compile(
      pipeline("moved", { x: u32 }, ({ x }) => ({
        y: x.add(x.broadcast(0, { scope: "device" })),
        p: x.broadcast(5, { scope: "device" }),
      })),
    );
    const [x, y, p, count] = [
      runtime.array("u32", 8),
      runtime.array("u32", 8),
      runtime.array("u32", 1),
      runtime.array("u32", 1),
    ];
    await runtime
      .record()
      .run(program, { x, y, p }, { n: { count, max: 8 } })
      .submit();
    expect(await y.read()).toEqual(new Uint32Array(8));
  });

  test("keeps the order of calls made in the meantime", async (context) => {
    const runtime = await open(context);
    const [maps, scans] = [await runtime.compile(map), await runtime.compile(scan)];
    const n = 200_000;
    const x = runtime.array("u32", values(n));
    const [y, sums, total, count] = [
      runtime.array("u32", n),
      runtime.array("u32", n),
      runtime.array("u32", 1),
      runtime.array("u32", Uint32Array.of(n)),
    ];
    const first = runtime
      .record()
      .run(scans, { x, sums, total }, { n: { count, max: n } })
      .run(maps, { x, y, by: 3 }, { n: { count, max: n } })
      .submit();
    // The recording waits for its counts; this comes after it all the same.
    x.write(new Uint32Array(n).fill(1));
    count.write(Uint32Array.of(5));
    const before = y.read();
    const second = runtime
      .record()
      .run(maps, { x, y, by: 10 }, { n: { count, max: n } })
      .submit();
    const after = y.read();
    y.dispose();
    await Promise.all([first, second]);
    expect(await sums.read()).toEqual(sumsOf(values(n)));
    const want = values(n).map((v) => 3 * v + 1);
    expect(await before).toEqual(want);
    expect(await after).toEqual(want.fill(11, 0, 5));
  });
});

describe("programs of one content", () => {
  let faults: Faults | undefined;
  beforeEach(() => () => faults?.remove());

  test("are built once, live until the last is disposed, and are built again after it", async (context) => {
    await open(context);
    const runtime = await openclRuntime();
    faults = await injectFaults();
    const builds = (): number => faults?.calls("clBuildProgram") ?? 0;
    const source = () => pipeline("same", { x: u32 }, ({ x }) => ({ total: x.reduce("max") }));
    const [first, second] = await Promise.all([runtime.compile(source()), runtime.compile(source().ir)]);
    expect(builds()).toBe(1);
    expect(await runtime.compile(scan)).not.toBe(first);
    expect(builds()).toBe(2);
    first.dispose();
    expect(await second.run({ x: values(9) })).toEqual({ total: Uint32Array.of(Math.max(...values(9))) });
    expect((await errorFrom(() => first.run({ x: values(9) }))).code).toBe("disposed");
    const third = await runtime.compile(source());
    expect(builds()).toBe(2);
    second.dispose();
    third.dispose();
    await new Promise(setImmediate);
    expect(faults.calls("clReleaseProgram")).toBe(1);
    await runtime.compile(source());
    expect(builds()).toBe(3);
    runtime.dispose();
    await new Promise(setImmediate);
    expect(faults.calls("clReleaseProgram")).toBe(3);
  });

  test("leave nothing on the device when the runtime is disposed", async (context) => {
    await open(context);
    faults = await injectFaults();
    const runtime = await openclRuntime();
    const program = await runtime.compile(scan);
    const step = runtime.sliceAlignment / 4;
    const x = runtime.array("u32", values(3 * step));
    const [sums, total] = [runtime.array("u32", step), runtime.array("u32", 1)];
    await runtime
      .record()
      .run(program, { x: x.slice(step), sums, total }, { n: step })
      .run(program, { x, sums, total }, { n: 7 })
      .submit();
    await program.run({ x: values(50) });
    const last = runtime
      .record()
      .run(program, { x: x.slice(step), sums, total }, { n: step })
      .submit();
    runtime.dispose();
    await last;
    for (const act of [
      () => sums.read(),
      () => program.run({ x: values(1) }),
      () => runtime.record(),
      () => runtime.array("u32", 1),
      () => runtime.compile(scan),
    ])
      expect((await errorFrom(act)).code).toBe("disposed");
    const made = faults.calls("clCreateBuffer") + faults.calls("clCreateSubBuffer");
    expect(faults.calls("clReleaseMemObject")).toBe(made);
    expect(faults.calls("clReleaseEvent")).toBe(faults.calls("clEnqueueMarkerWithWaitList"));
    expect(faults.calls("clReleaseKernel")).toBe(faults.calls("clCreateKernel"));
    expect(faults.calls("clReleaseContext")).toBe(1);
  });
});

describe("what the device reports", () => {
  let faults: Faults | undefined;
  beforeEach(() => () => faults?.remove());

  test.for([
    // Behind the map's two kernels, of its rows and of its tail.
    ["when a kernel is queued", "clEnqueueNDRangeKernel", 3],
    ["when the kernels are queued", "clEnqueueMarkerWithWaitList", 1],
    ["when the kernels have ended", "clGetEventInfo", 1],
    ["when the queue ends", "clFinish", 1],
  ] as const)(
    "%s is reported with the pipeline's name, and the next submit works",
    async ([_, call, at], context) => {
      const runtime = await requireDevice(context, pocl);
      const [scans, maps] = [await runtime.compile(scan), await runtime.compile(map)];
      const [x, y, sums, total] = [
        runtime.array("u32", values(9)),
        runtime.array("u32", 9),
        runtime.array("u32", 9),
        runtime.array("u32", 1),
      ];
      await x.read();
      faults = await injectFaults();
      faults.fail(call, at);
      const recorder = runtime.record().run(maps, { x, y, by: 2 }).run(scans, { x: y, sums, total });
      const error = await errorFrom(() => recorder.submit());
      expect(error.code).toBe("device-error");
      expect(error.where).toBe(call === "clEnqueueNDRangeKernel" ? "scan" : "map, scan");
      expect(error.message).toContain("CL_OUT_OF_RESOURCES");
      await recorder.run(maps, { x, y, by: 3 }).submit();
      expect(await y.read()).toEqual(values(9).map((v) => 3 * v + 1));
      faults.fail(call, 1);
      const failed = await errorFrom(() => scans.run({ x: values(9) }));
      expect([failed.code, call === "clFinish" || failed.where === "scan"]).toEqual(["device-error", true]);
      expect((await scans.run({ x: values(9) })).sums).toEqual(sumsOf(values(9)));
      runtime.dispose();
    },
  );
});

test("bools are converted to words on the device and back", async (context) => {
  const runtime = await open(context);
  const program = await runtime.compile(pipeline("not", { p: bool }, ({ p }) => ({ q: p.not() })));
  const [p, q] = [runtime.array("bool", Uint8Array.of(1, 0, 5)), runtime.array("bool", 3)];
  await runtime.record().run(program, { p, q }).submit();
  expect(await q.read()).toEqual(Uint8Array.of(0, 1, 0));
});
