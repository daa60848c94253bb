import { namedCase } from "@groupwise/testkit";
import { isFullRun, recording, requireDevice } from "@groupwise/testkit/conformance";
import { expect, test, vi } from "vitest";
import { CudaDriver } from "../src/device/driver.ts";
import { onCpu } from "./cpu/runtime.ts";

// In other runs PoCL has the others, through the same runtime.
recording(
  "CUDA on the CPU",
  onCpu,
  (name) => isFullRun() || /^(?:.*count.*|.*slice.*|of more steps .*)$/.test(name),
);

test("a run reads of a compaction only what the kernels wrote", async (context) => {
  const runtime = await requireDevice(context, onCpu);
  const { ir, values } = namedCase("compact");
  const executable = await runtime.compile(ir);
  const reads = vi.spyOn(CudaDriver.prototype, "readApart");
  const [kept] = Object.values(await executable.run(values(1000))) as Uint32Array[];
  // The number of elements comes first.
  expect(reads.mock.calls.map(([, to]) => to.byteLength)).toEqual([4, kept?.byteLength]);
  reads.mockRestore();
  runtime.dispose();
});

test("an input without elements has a zero in memory, which kernels may read and leave unused", async (context) => {
  const runtime = await requireDevice(context, onCpu);
  const { ir, values } = namedCase("compact");
  const executable = await runtime.compile(ir);
  const allocated = vi.spyOn(CudaDriver.prototype, "allocate");
  await executable.run(values(0));
  const written = allocated.mock.calls.flatMap(([, data]) => (data === null ? [] : [data]));
  expect(written).toEqual([new Float32Array(1)]);
  allocated.mockRestore();
  runtime.dispose();
});
