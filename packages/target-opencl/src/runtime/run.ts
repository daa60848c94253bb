/** Runs from arrays of the host to arrays of the host. */
import type { HostArray, Manifest, RunOptions, RunOutputs, RunValues } from "@groupwise/core";
import type { Sides } from "@groupwise/core/target";
import { elementsOf, errorOf, finishRun, type Prepared, prepareRun, toDevice } from "@groupwise/core/target";
import type { OpenClDevice } from "../device/device.ts";
import type { Handle, OpenCl } from "../device/ffi.ts";
import { Pool } from "../device/owned.ts";
import { clear, makeBuffer, type Reading, readLater } from "../device/transfer.ts";
import { bytesOf, launch } from "./launch.ts";
import type { Built, Session } from "./program.ts";

/** One run: inputs and outputs of its own, so that runs do not wait for one another. Scratch is that of earlier runs, which the queue has ended. */
export async function runProgram(
  session: Session,
  built: Built,
  manifest: Manifest,
  values: RunValues,
  options: RunOptions | undefined,
): Promise<RunOutputs> {
  const { queue } = session;
  const { cl } = built;
  const prepared = prepareRun(manifest, values, options);
  checkMemory(session.info, manifest, prepared);
  const pool = new Pool(cl);
  try {
    const buffers = upload(session, cl, pool, manifest, prepared);
    const readings = await session.line.begin(cl, queue, () => {
      launch(session, { manifest, built, prepared, buffers });
      return readAll(cl, session, manifest, prepared, buffers);
    }).done;
    const status = manifest.bindings.find(({ role }) => role === "status");
    const words = (status ? readings.get(status.name)?.values() : []) as ArrayLike<number>;
    const raw = [...readings].map(([name, reading]): [string, HostArray] => [name, reading.values()]);
    return finishRun(manifest, Object.fromEntries(raw), words);
  } finally {
    pool.release();
    session.scratch.trim(cl);
  }
}

function checkMemory(info: OpenClDevice, manifest: Manifest, sides: Sides): void {
  const sizes = manifest.bindings.map((binding) => ({ name: binding.name, bytes: bytesOf(binding, sides) }));
  for (const { name, bytes } of sizes) checkAllocation(info, bytes, `${manifest.pipeline}: ${name}`);
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > info.globalMemory) {
    const details = { what: "bytes of memory", need: total, limit: info.globalMemory };
    throw errorOf("device-limit", details, manifest.pipeline);
  }
}

/** @throws GroupwiseError `device-limit` if no buffer can be that large */
export function checkAllocation({ maxAllocation }: OpenClDevice, bytes: number, where: string): void {
  if (bytes <= maxAllocation) return;
  const details = { what: "bytes in one buffer", need: bytes, limit: maxAllocation };
  throw errorOf("device-limit", details, where);
}

function upload(
  session: Session,
  cl: OpenCl,
  pool: Pool,
  manifest: Manifest,
  prepared: Prepared,
): Map<string, Handle> {
  const { queue } = session;
  const buffers = new Map<string, Handle>();
  const scratch = session.scratch.take(cl, manifest, prepared, ({ role }) => role !== "scratch");
  for (const binding of manifest.bindings) {
    const bytes = bytesOf(binding, prepared);
    const input = prepared.inputs.get(binding.name);
    const data = input && input.length > 0 ? toDevice(binding, input) : null;
    const buffer = scratch.get(binding.name) ?? pool.add("buffer", makeBuffer(cl, session, bytes, data));
    buffers.set(binding.name, buffer);
    if (binding.cleared) clear(cl, queue, { buffer, offset: 0 }, bytes);
  }
  return buffers;
}

/** Nothing else uses the buffers of a run. */
function readAll(
  cl: OpenCl,
  session: Session,
  manifest: Manifest,
  sides: Sides,
  buffers: ReadonlyMap<string, Handle>,
): Map<string, Reading> {
  const wanted = manifest.bindings.filter(({ role }) => role === "output" || role === "status");
  return new Map(
    wanted.map((binding) => {
      const from = { buffer: buffers.get(binding.name) as Handle, offset: 0 };
      const count = elementsOf(binding, sides);
      return [binding.name, readLater(cl, session, { from, elements: binding, count })];
    }),
  );
}
