/**
 * Work that keeps a device's clocks up between measurements. With little to do a card may lower its clock to a sixth within a second, and short
 * runs then take more than three times as long.
 */
import type { Pipeline } from "../../ir/document/node.ts";
import type { Runtime } from "../api/runtime.ts";

const WORDS = 2 ** 22;
/** Several times what is measured, and what the host does between. */
const BUSY_MS = 20;
const MOST_COPIES = 4096;
const COPY: Pipeline = {
  format: "groupwise-pipeline",
  version: 1,
  name: "tune-copy",
  workGroupSize: [64],
  nodes: [
    { id: 0, kind: "input", name: "x", type: "u32" },
    { id: 1, kind: "output", name: "y", of: 0 },
  ],
};

/** Work that keeps a device busy, so that it reaches its clock before a measurement. */
export interface Busy {
  /** Queues the work before it returns. */
  submit(): Promise<void>;
  /** Frees the arrays and the kernel of the work. */
  dispose(): void;
}

/** Copies that take the device 20 ms. */
export async function busyOn(runtime: Runtime, now: () => number): Promise<Busy> {
  const executable = await runtime.compile(COPY);
  const [x, y] = [runtime.array("u32", WORDS), runtime.array("u32", WORDS)];
  const submit = (copies: number): Promise<void> => {
    const recorder = runtime.record();
    for (let i = 0; i < copies; i++) recorder.run(executable, { x, y } as never, { n: WORDS });
    return recorder.submit();
  };
  // The first run may include the driver's compiler.
  await submit(1);
  let copies = 1;
  for (let took = 0; took < BUSY_MS && copies < MOST_COPIES; ) {
    const begun = now();
    await submit(copies);
    took = now() - begun;
    if (took < BUSY_MS) copies *= 2;
  }
  return {
    submit: () => submit(copies),
    dispose: () => {
      for (const array of [x, y]) array.dispose();
      executable.dispose();
    },
  };
}
