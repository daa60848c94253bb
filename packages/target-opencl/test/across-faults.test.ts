/** A step over two devices of which one fails: the error is reported, nothing of the step is left, and all objects are released. */
import { GroupwiseError } from "@groupwise/core";
import { acrossRuntimes } from "@groupwise/core/state";
import { f32, pipeline } from "@groupwise/dsl";
import { isFullRun, requireDevice } from "@groupwise/testkit/conformance";
import { afterEach, expect, test, vi } from "vitest";
import { type Faults, injectFaults } from "./faults.ts";
import { pocl } from "./support.ts";

const scan = pipeline("scan", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
const total = pipeline("total", { x: f32 }, ({ x }) => ({ y: x.reduce("add") }));
const N = 3000;
const valuesOf = (seed: number): Float32Array => Float32Array.from({ length: N }, (_, i) => (i * seed) % 13);

/** Sums of whole numbers, which are exact. */
function sumsOf(values: Float32Array): Float32Array {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}

let faults: Faults | undefined;
afterEach(() => faults?.remove());

test.for(["clEnqueueNDRangeKernel", "clFinish", "clEnqueueReadBuffer", "clEnqueueWriteBuffer"])(
  "a failing %s",
  async (call, context) => {
    faults = await injectFaults();
    const runtimes = [await requireDevice(context, pocl), await requireDevice(context, pocl)];
    const across = acrossRuntimes(runtimes);
    const [scans, totals] = [await across.compile(scan), await across.compile(total)];
    const x = across.array("f32", N);
    const [sums, sum] = [across.array("f32", N), across.array("f32", 1)];
    const step = async (values: Float32Array): Promise<void> => {
      await x.write(values);
      await across.record().run(scans, { x, y: sums }).run(totals, { x, y: sum }).submit();
      expect(await sums.read()).toEqual(sumsOf(values));
      expect((await sum.read())[0]).toBe(sumsOf(values).at(-1));
    };
    await step(valuesOf(3));
    let failures = 0;
    // Outside of full runs the first and a later call.
    for (const at of isFullRun() ? [1, 2, 3, 4, 5, 6] : [1, 4]) {
      faults.fail(call, at);
      const error = await step(valuesOf(5 + at)).catch((thrown: unknown) => thrown);
      if (error !== undefined) expect(error).toBeInstanceOf(GroupwiseError);
      if (error !== undefined) failures++;
      faults.fail(call, 0);
      await step(valuesOf(3));
      await step(valuesOf(7));
    }
    expect(failures).toBeGreaterThan(0);
    for (const runtime of runtimes) runtime.dispose();
    // Programs are released when their last user has let go.
    await vi.waitFor(() => expect(faults?.calls("clReleaseContext")).toBe(runtimes.length));
    const made = faults.calls("clCreateBuffer") + faults.calls("clCreateSubBuffer");
    expect(faults.calls("clReleaseMemObject")).toBe(made);
  },
);
