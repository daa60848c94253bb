/** Runs from arrays of the host to arrays of the host. */

import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Sides } from "@groupwise/ir/base/formula.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import type { RunOptions } from "../api/runtime.ts";
import type { RunOutputs, RunValues } from "../api/typed.ts";
import { elementsOf, type Prepared, prepareRun } from "../checks/host.ts";
import { finishRun, toDevice } from "../checks/results.ts";
import type { Manifest } from "../plan/manifest.ts";
import type { Handle, QueueDevice } from "./driver.ts";
import { bytesOf, launch } from "./launch.ts";
import { Pool } from "./pool.ts";
import type { Built, Session } from "./program.ts";
import { type ArrayReading, readLater } from "./transfer.ts";

/** One run: inputs and outputs of its own, so that runs do not wait for one another. Scratch is that of earlier runs, which the queue has ended. */
export async function runProgram(
  session: Session,
  built: Built,
  manifest: Manifest,
  values: RunValues,
  options: RunOptions | undefined,
): Promise<RunOutputs> {
  const { driver } = built;
  const prepared = prepareRun(manifest, values, options);
  checkMemory(driver.device, manifest, prepared);
  const pool = new Pool();
  try {
    const buffers = upload(session, built, pool, manifest, prepared);
    const readings = await session.line.begin(driver, () => {
      launch({ manifest, built, prepared, buffers });
      return readAll(built, manifest, prepared, buffers);
    }).done;
    const status = manifest.bindings.find(({ role }) => role === "status");
    const words = (status ? readings.get(status.name)?.values() : []) as ArrayLike<number>;
    return finishRun(manifest, valuesOf(manifest, readings), words);
  } finally {
    pool.release();
    session.scratch.trim();
  }
}

function checkMemory(device: QueueDevice, manifest: Manifest, sides: Sides): void {
  const sizes = manifest.bindings.map((binding) => ({ name: binding.name, bytes: bytesOf(binding, sides) }));
  for (const { name, bytes } of sizes) checkAllocation(device, bytes, `${manifest.pipeline}: ${name}`);
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > device.globalMemory) {
    const details = { what: "bytes of memory", need: total, limit: device.globalMemory };
    throw errorOf("device-limit", details, manifest.pipeline);
  }
}

/** @throws GroupwiseError `device-limit` if no buffer can be that large */
export function checkAllocation({ maxAllocation }: QueueDevice, bytes: number, where: string): void {
  if (bytes <= maxAllocation) return;
  const details = { what: "bytes in one buffer", need: bytes, limit: maxAllocation };
  throw errorOf("device-limit", details, where);
}

function upload(
  session: Session,
  { driver }: Built,
  pool: Pool,
  manifest: Manifest,
  prepared: Prepared,
): Map<string, Handle> {
  const buffers = new Map<string, Handle>();
  const scratch = session.scratch.take(driver, manifest, prepared, ({ role }) => role !== "scratch");
  for (const binding of manifest.bindings) {
    const bytes = bytesOf(binding, prepared);
    const input = prepared.inputs.get(binding.name);
    const data = input && input.length > 0 ? toDevice(binding, input) : null;
    const made = (): Handle => pool.add(driver.allocate(bytes, data), (memory) => driver.release(memory));
    const buffer = scratch.get(binding.name) ?? made();
    buffers.set(binding.name, buffer);
    // An array without elements has one in memory, which kernels may read and leave unused.
    if (binding.cleared || input?.length === 0) driver.clear({ buffer, offset: 0 }, bytes);
  }
  return buffers;
}

/** The elements of outputs; where reads wait for the device anyway, only those that have values. */
function valuesOf(
  { bindings }: Manifest,
  readings: ReadonlyMap<string, ArrayReading>,
): Map<string, HostArray> {
  const read = new Map<string, HostArray>();
  const outputs = bindings.filter(({ role }) => role === "output");
  // Numbers of elements come first.
  for (const { name, lengthFrom } of outputs.sort(
    (a, b) => Number(!!a.lengthFrom) - Number(!!b.lengthFrom),
  )) {
    const valid = lengthFrom === undefined ? undefined : Number(read.get(lengthFrom)?.[0]);
    read.set(name, (readings.get(name) as ArrayReading).values(valid));
  }
  return read;
}

/** Nothing else uses the buffers of a run. */
function readAll(
  { driver }: Built,
  manifest: Manifest,
  sides: Sides,
  buffers: ReadonlyMap<string, Handle>,
): Map<string, ArrayReading> {
  const wanted = manifest.bindings.filter(({ role }) => role === "output" || role === "status");
  return new Map(
    wanted.map((binding) => {
      const from = { buffer: buffers.get(binding.name) as Handle, offset: 0 };
      const count = elementsOf(binding, sides);
      return [binding.name, readLater(driver, { from, elements: binding, count })];
    }),
  );
}
