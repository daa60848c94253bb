import type { Runtime } from "@groupwise/core";
import { bool, f32, pipeline } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { type Found, findDawn, findOpenCl, found } from "@groupwise/testkit/devices";
import { Bool, Float32 } from "apache-arrow";
import { expect } from "vitest";
import { overColumns } from "../src/index.ts";
import { listOf, vectorOf } from "./support.ts";

const built = pipeline("sales", { price: f32, first: bool, sold: bool }, ({ price, first, sold }) => ({
  sums: price.scanInclusive("add", { segments: first }),
  left: sold.select(price, 0),
  count: sold.toU32().scanExclusive("add"),
}));

async function pocl(): Promise<Found<Runtime>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  Object.assign(process.env, platform.value.env);
  return found(await openclRuntime());
}
async function lavapipe(): Promise<Found<Runtime>> {
  const opened = await findDawn({ adapter: "lavapipe" });
  return opened.found ? found(webgpuRuntime(opened.value.device)) : opened;
}

const LENGTH = 3000;
const prices = Array.from({ length: LENGTH }, (_, i) =>
  i % 9 === 4 ? null : Math.fround(1e4 / (i + 1) - i / 3),
);
const flags = Array.from({ length: LENGTH }, (_, i) => i % 401 === 0);
const sold = Array.from({ length: LENGTH }, (_, i) => (i % 11 === 0 ? null : i % 3 === 0));
const cut = (cuts: number[]) => ({
  price: vectorOf({ items: prices, cuts, margin: 3 }, new Float32()),
  first: vectorOf({ items: flags, cuts: [700], margin: 1 }, new Bool()),
  sold: vectorOf({ items: sold, cuts, margin: 6 }, new Bool()),
});

const marks = pipeline("marks", { price: f32, sold: bool }, ({ price, sold }) => ({
  dear: price.gt(3),
  kept: sold.not(),
}));

// Each is a program of a driver: the slower one waits for full runs.
for (const [name, open] of [
  ["PoCL", pocl],
  ...(isFullRun() ? [["lavapipe", lavapipe] as const] : []),
] as const) {
  deviceTest<Runtime>(
    `chunks with nulls and bools give the bits of JavaScript on ${name}`,
    open,
    async (runtime) => {
      const want = await overColumns(jsRuntime(), built).run(cut([]));
      const got = await overColumns(runtime, built).run(cut([1024, 1025]));
      for (const key of ["sums", "left", "count"] as const)
        expect(listOf(got[key])).toEqual(listOf(want[key]));
      runtime.dispose();
    },
  );
  deviceTest<Runtime>(`outputs of bits lose none to their neighbours on ${name}`, open, async (runtime) => {
    const { price, sold: some } = cut([]);
    const got = await overColumns(runtime, marks).run({ price, sold: some });
    expect(listOf(got.dear)).toEqual(prices.map((x) => (x === null ? null : x > 3)));
    expect(listOf(got.kept)).toEqual(sold.map((x) => (x === null ? null : !x)));
    runtime.dispose();
  });
}
