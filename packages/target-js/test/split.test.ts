import type { HostArray, Runtime } from "@groupwise/core";
import { acrossRuntimes, type SplitArray } from "@groupwise/core/state";
import { f32, pipeline, scalar } from "@groupwise/dsl";
import { describe, expect, expectTypeOf, it, test } from "vitest";
import { jsRuntime } from "../src/runtime.ts";
import { hashesOf, PARTED, valuesFor } from "./fixtures/parted.ts";

const some = (count: number): Runtime[] => Array.from({ length: count }, () => jsRuntime());
const KINDS = ["map", "reduce", "scan"] as const;
const SHARES = [[1], [1, 1], [3, 1], [1, 2, 3], [0, 1, 0], [5, 1, 0, 1, 1]];
const sums = pipeline("sums", { x: f32 }, ({ x }) => ({
  sums: x.scanInclusive("add"),
  total: scalar(x.reduce("add")),
}));

describe.each(KINDS)("a %s of split arrays", (kind) => {
  it.each(SHARES.map((shares) => ({ shares })))("has the bits of one, shares $shares", async ({ shares }) => {
    const across = acrossRuntimes(some(shares.length), { shares });
    const executable = await across.compile(PARTED[kind]);
    const one = await jsRuntime().compile(PARTED[kind]);
    for (const n of [0, 1, 2, 7, 64, 997, 5003]) {
      const { x, starts, t, ...params } = valuesFor(kind, n) as Record<string, HostArray>;
      const want = (await one.run(valuesFor(kind, n))) as Record<string, HostArray>;
      const arrays: Record<string, SplitArray> = {
        x: across.array("f32", x as Float32Array),
        starts: across.array("bool", starts as Uint8Array),
        ...(t && { t: across.table("u32", t as Uint32Array) }),
      };
      for (const { name, type } of one.manifest.bindings.filter(({ role }) => role === "output"))
        arrays[name] = across.array(type, want[name]?.length as number);
      await across
        .record()
        .run(executable, { ...arrays, ...params } as never)
        .submit();
      const got = Object.keys(want).map(async (name) => [name, await arrays[name]?.read()]);
      expect(hashesOf(Object.fromEntries(await Promise.all(got)))).toEqual(hashesOf(want));
    }
  });
});

test("data stays on the runtimes: steps, writes and reads take effect in order", async () => {
  const across = acrossRuntimes(some(3));
  const executable = await across.compile(sums);
  const one = await jsRuntime().compile(sums);
  const n = 1000;
  const x = Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 2 ** (i % 19));
  const [a, b, c, total] = [x, n, n, 1].map((from) =>
    across.array("f32", from as number),
  ) as SplitArray<"f32">[];
  if (!a || !b || !c || !total) throw new Error("four arrays");
  expect(a.parts.map(({ length }) => length).reduce((p, q) => p + q)).toBe(n);
  expect(a.cuts?.map((cut, i) => (a.cuts?.[i + 1] ?? n) - cut).slice(0, 3)).toEqual(
    a.parts.map((p) => p.length),
  );
  const twice = across
    .record()
    .run(executable, { x: a, sums: b, total })
    .run(executable, { x: b, sums: c, total });
  const done = twice.submit();
  const written = a.write(new Float32Array(n));
  const first = await one.run({ x });
  const second = await one.run({ x: first.sums });
  expect(await c.read()).toEqual(second.sums);
  expect(await total.read()).toEqual(Float32Array.of(second.total));
  await Promise.all([done, written]);
  expect(await a.read()).toEqual(new Float32Array(n));
  expectTypeOf(a.read()).resolves.toEqualTypeOf<Float32Array<ArrayBuffer>>();
});

describe("incorrect arguments are refused before anything runs", async () => {
  const across = acrossRuntimes(some(2));
  const executable = await across.compile(sums);
  const [x, y, total] = [8, 8, 1].map((length) => across.array("f32", length)) as SplitArray<"f32">[];
  const arrays = { x, sums: y, total } as {
    x: SplitArray<"f32">;
    sums: SplitArray<"f32">;
    total: SplitArray<"f32">;
  };
  const refused = (given: object, code: string, options?: object): void =>
    expect(() => across.record().run(executable, { ...arrays, ...given } as never, options)).toThrow(
      expect.objectContaining({ code }),
    );

  it("arrays", () => {
    refused({ x: undefined }, "wrong-dtype");
    refused({ z: x }, "unknown-input");
    refused({ x: across.array("u32", 8) }, "wrong-dtype");
    refused({ sums: x }, "bad-buffer");
    refused({ sums: across.array("f32", 9) }, "bad-buffer");
    refused({ sums: across.array("f32", 7) }, "bad-buffer");
    refused({ x: across.table("f32", 8) }, "bad-buffer");
    refused({ x: jsRuntime().array("f32", 8) }, "foreign-device");
    refused({}, "bad-buffer", { n: 7 });
    refused({}, "bad-argument", { n: { count: x, max: 8 } });
  });

  it("executables of other runtimes, and disposed ones", async () => {
    const other = acrossRuntimes(some(2));
    const foreign = await other.compile(sums);
    expect(() => across.record().run(foreign, arrays)).toThrow(
      expect.objectContaining({ code: "foreign-device" }),
    );
    const gone = across.array("f32", 8);
    gone.dispose();
    gone.dispose();
    refused({ x: gone }, "disposed");
    await expect(gone.read()).rejects.toMatchObject({ code: "disposed" });
    await expect(gone.write(new Float32Array(1))).rejects.toMatchObject({ code: "disposed" });
    const recorder = other.record().run(foreign, {
      x: other.array("f32", 8),
      sums: other.array("f32", 8),
      total: other.array("f32", 1),
    });
    foreign.dispose();
    await expect(recorder.submit()).rejects.toMatchObject({ code: "disposed" });
    expect(() => across.array("f32", -1)).toThrow(expect.objectContaining({ code: "bad-length" }));
  });
});
