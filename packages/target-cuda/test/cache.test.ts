/** Compiled programs that outlive a runtime; what is damaged, and folders, are tested with OpenCL. */
import { createHash } from "node:crypto";
import { pipeline, u32 } from "@groupwise/dsl";
import { requireDevice } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import { onCpu } from "./cpu/runtime.ts";

const next = pipeline("kept-next", { x: u32 }, ({ x }) => ({ y: x.add(1) }));

test("a later runtime loads what an earlier one compiled, and compiles what the driver refuses", async (context) => {
  const kept = new Map<string, Uint8Array>();
  let sets = 0;
  const cache = {
    get: (key: string) => kept.get(key),
    set: (key: string, bytes: Uint8Array) => {
      kept.set(key, bytes);
      sets++;
    },
  };
  const made: number[] = [];
  for (const isSpoilt of [false, false, true, false]) {
    if (isSpoilt)
      for (const [key, bytes] of kept) {
        const code = bytes.slice(32).fill(7);
        kept.set(key, Buffer.concat([createHash("sha256").update(key).update(code).digest(), code]));
      }
    const runtime = await requireDevice(context, () => onCpu({ cache }));
    const before = sets;
    const program = await runtime.compile(next);
    expect((await program.run({ x: Uint32Array.of(1, 2, 4) })).y).toEqual(Uint32Array.of(2, 3, 5));
    runtime.dispose();
    made.push(sets - before);
  }
  expect(made[0]).toBeGreaterThan(0);
  expect(made[1]).toBe(0);
  expect(made[2]).toBeGreaterThan(0);
  expect(made[3]).toBe(0);
});
