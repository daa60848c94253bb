/** The debug option of runtimes: two items that write one slot are an error. */
import type { Runtime } from "@groupwise/core";
import { param, pipeline, u32 } from "@groupwise/dsl";
import { expect } from "vitest";

const scattered = pipeline("scattered", { x: u32, slot: u32, k: param(u32) }, ({ x, slot, k }) => ({
  y: x.scatter({ to: slot.rem(k), where: x.ne(0) }),
  sums: x.scatter({ to: slot.rem(k), combine: "add" }),
}));

/** @param runtime with the option `debug` */
export async function expectSlotsChecked(runtime: Runtime): Promise<void> {
  const program = await runtime.compile(scattered);
  const slot = Uint32Array.of(0, 1, 5, 3);
  const run = (...x: number[]): Promise<unknown> => program.run({ x: Uint32Array.from(x), slot, k: 4 });
  // Slots 1 and 5 are the same of four: the second item is excluded, or writes.
  expect(await run(1, 0, 3, 4)).toEqual({
    y: Uint32Array.of(1, 3, 0, 4),
    sums: Uint32Array.of(1, 3, 0, 4),
  });
  await expect(run(1, 2, 3, 4)).rejects.toMatchObject({
    code: "scatter-conflict",
    what: expect.stringContaining("items 1 and 2 both write slot 1"),
    where: expect.stringMatching(/^slots\.[jt]s:\d+/),
  });
  program.dispose();
}
