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
  const cleared = vi.spyOn(CudaDriver.prototype, "clear");
  await executable.run(values(0));
  expect(cleared.mock.calls.map(([, bytes]) => bytes)).toContain(Float32Array.BYTES_PER_ELEMENT);
  cleared.mockRestore();
  runtime.dispose();
});
