/** Many items: numbers of 2^31 and more, and arrays that are too large for a device. */
import { emit } from "@groupwise/core";
import type { Range } from "@groupwise/core/queue";
import { f64, pipeline } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import type { OpenClDriver } from "../src/device/driver.ts";
import { opencl } from "../src/index.ts";
import { errorFrom, pocl } from "./support.ts";

const sum = pipeline("sum", {}, (_, { index }) => ({ sum: index().reduce("add") }));

test("there are 2^32 - 2^28 items at most, and 2^31 where elements are two words", () => {
  const doubles = pipeline("doubles", { x: f64 }, ({ x }) => ({ y: x.neg() }));
  expect(emit(sum, opencl).manifest.maxItems).toBe(2 ** 32 - 2 ** 28);
  expect(emit(doubles, opencl).manifest.maxItems).toBe(2 ** 31);
  expect(emit(doubles, opencl, { types: ["f64"] }).manifest.maxItems).toBe(2 ** 32 - 2 ** 28);
});

deviceTest(
  "an array that is too large for a buffer is told by its name, with what it needs",
  pocl,
  async (runtime) => {
    const { maxAllocation, alignment } = runtime.info;
    const n = maxAllocation / 4 + 1;
    const scan = pipeline("scan", {}, (_, { index }) => ({
      sums: index().scanInclusive("add"),
      last: index(),
    }));
    const program = await runtime.compile(scan);
    const [small, last] = [runtime.array("u32", 1), runtime.array("u32", 1)];
    const wanted = `the device allows ${maxAllocation} bytes in one buffer, but this pipeline needs ${4 * n}`;
    for (const act of [() => program.run({}, { n }), () => runtime.array("u32", n)]) {
      const error = await errorFrom(act);
      expect([error.code, error.what]).toEqual(["device-limit", wanted]);
    }
    expect((await errorFrom(() => program.run({}, { n }))).where).toBe("scan: sums");
    // A recording finds that what it was given is too small before it looks at anything else.
    const record = () => runtime.record().run(program, { sums: small, last }, { n });
    expect((await errorFrom(record)).code).toBe("bad-buffer");
    expect(alignment).toBeGreaterThanOrEqual(1);
    runtime.dispose();
  },
);

// What the sum is scanned through is kept for every item: scratch of the range's length.
deviceTest("scratch that is too large for a buffer is told as well", pocl, async (runtime) => {
  const { maxAllocation } = runtime.info;
  const n = maxAllocation / 4 + 1;
  const twice = pipeline("twice", {}, (_, { index }) => ({
    total: index().scanInclusive("add").scanInclusive("add").reduce("max"),
  }));
  const program = await runtime.compile(twice);
  const total = runtime.array("u32", 1);
  const error = await errorFrom(() => runtime.record().run(program, { total }, { n }));
  expect([error.code, error.where]).toEqual(["device-limit", "twice: scan_inclusive_1"]);
  runtime.dispose();
});

interface InBuffer {
  readonly buffer: {
    range(offset: number): Range;
    readonly home: { readonly session: { readonly driver: OpenClDriver } };
  };
}

deviceTest("zeros reach every byte of a range, part by part", pocl, async (runtime) => {
  const { alignment } = runtime.info;
  const array = runtime.array("u32", new Uint32Array(alignment * 4).fill(7));
  const { buffer } = array as unknown as InBuffer;
  const bytes = 5 * alignment + 4;
  buffer.home.session.driver.clear(buffer.range(2 * alignment), bytes, 2 * alignment);
  const want = new Uint32Array(alignment * 4).fill(7).fill(0, alignment / 2, alignment / 2 + bytes / 4);
  expect(await array.read()).toEqual(want);
  runtime.dispose();
});
