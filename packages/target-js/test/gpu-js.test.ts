import { check, type Executable, reference, type ScalarValue } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import { bool, f32, param, pipeline, u32 } from "@groupwise/dsl";
import { describe, expect, it } from "vitest";
import { gpuJsRuntime } from "../src/gpu-js/runtime.ts";

const SPECIAL = [0, -0, 1, -1, Number.NaN, Infinity, -Infinity, 1e-45, 3e38, -3e38, 0.1, 16777217].map(
  Math.fround,
);

const floats = pipeline("floats", { x: f32, scale: param(f32) }, ({ x, scale }) => ({
  inclusive: x.scanInclusive("add"),
  exclusive: x.mul(scale).scanExclusive("add"),
  total: x.reduce("add"),
  least: x.scanExclusive("min"),
  greatest: x.reduce("max"),
  centred: x.sub(x.reduce("add")),
  chained: x.scanInclusive("add").scanExclusive("mul"),
  picked: x.broadcast(u32(3)),
}));
const grouped = pipeline(
  "grouped",
  { x: f32, flag: bool },
  ({ x, flag }) => ({
    inclusive: x.scanInclusive("add", { scope: "work-group" }),
    exclusive: x.scanExclusive("mul", { scope: "work-group" }),
    total: x.reduce("add", { scope: "work-group" }),
    parity: flag.scanInclusive("logical-xor", { scope: "work-group" }),
    every: flag.all({ scope: "work-group" }),
    some: flag.any(),
    both: flag.and(x.lt(1)).select(x, x.neg()),
    picked: x.broadcast(u32(20), { scope: "work-group" }),
  }),
  { workGroupSize: 21 },
);

describe.each(["cpu", "webasm"] as const)("gpu.js %s", (mode) => {
  describe.each([floats, grouped])("$name", (definition) => {
    let compiled: Promise<Executable> | undefined;
    it.each([0, 1, 2, 7, 8, 9, 20, 21, 22, 63, 64, 65, 100, 521])("n = %i", async (n) => {
      const checked = check(definition.ir);
      const pick = (i: number): number =>
        i % 3 === 0 && n < 50 ? (SPECIAL[i % SPECIAL.length] as number) : Math.fround(Math.sin(i) * 100);
      const x = Float32Array.from({ length: n }, (_, i) => pick(i));
      const flag = Uint8Array.from({ length: n }, (_, i) => Number(i % 3 !== 1));
      const values: Record<string, Float32Array | Uint8Array | number> = checked.params.length
        ? { x, scale: 0.3 }
        : { x, flag };
      const lists: Record<string, ScalarValue[]> = {
        x: [...x],
        flag: Array.from(flag, (v) => SCALARS.bool.fromHost(v)),
      };
      compiled ??= gpuJsRuntime({ mode }).then((runtime) => runtime.compile(definition.ir));
      const executable = await compiled;
      let expected: Record<string, ScalarValue[]>;
      try {
        expected = reference(checked, { n, inputs: lists, params: { scale: Math.fround(0.3) } });
      } catch (error) {
        await expect(executable.run(values)).rejects.toThrow((error as { code: string } & Error).code);
        return;
      }
      const got = await executable.run(values);
      for (const [name, want] of Object.entries(expected)) {
        expect([name, [...(got[name] as Float32Array)]]).toEqual([name, want.map(Number)]);
      }
    });
  });
});

it("keeps what a run has until it is done", async () => {
  const runtime = await gpuJsRuntime({ mode: "cpu" });
  const program = await runtime.compile(floats, { keep: false });
  const done = program.run({ x: Float32Array.of(1, 2), scale: 1 });
  program.dispose();
  expect(runtime.stats()).toMatchObject({ inUse: 1 });
  expect(await done).toMatchObject({ inclusive: Float32Array.of(1, 3) });
  expect(runtime.stats()).toMatchObject({ inUse: 0, kept: 0 });
  await expect(program.run({ x: Float32Array.of(1), scale: 1 })).rejects.toMatchObject({ code: "disposed" });
  runtime.dispose();
});

it("refuses what gpu.js cannot represent", async () => {
  const runtime = await gpuJsRuntime({ mode: "cpu" });
  const counts = pipeline("counts", { x: f32 }, ({ x }) => ({ count: x.gt(0).toU32().reduce("add") }));
  await expect(runtime.compile(counts)).rejects.toMatchObject({ code: "unsupported" });
});

it("refuses ranges with many nearly empty work-groups", async () => {
  const { ir } = pipeline(
    "thin",
    { x: f32 },
    ({ x }) => ({ total: x.reduce("add", { scope: "work-group" }) }),
    { workGroupSize: [256, 1] },
  );
  const thin = await (await gpuJsRuntime({ mode: "cpu" })).compile(ir);
  const run = (rows: number) => thin.run({ x: new Float32Array(rows).fill(2) }, { globalSize: [1, rows] });
  expect((await run(3)).total).toEqual(Float32Array.of(2, 2, 2));
  await expect(run(2 ** 17)).rejects.toMatchObject({ code: "device-limit" });
});
