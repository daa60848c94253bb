/** Compiled programs that outlive a runtime. */
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline, u32 } from "@groupwise/dsl";
import { requireDevice } from "@groupwise/testkit/conformance";
import { afterEach, expect, test } from "vitest";
import { openclRuntime, type ProgramStore } from "../src/runtime.ts";
import { type Faults, injectFaults } from "./faults.ts";
import { pocl } from "./support.ts";

const next = pipeline("kept-next", { x: u32 }, ({ x }) => ({ y: x.add(1) }));
const x = Uint32Array.from({ length: 3000 }, (_, i) => i);
const y = x.map((i) => i + 1);

let faults: Faults | undefined;
let folder: string | undefined;
afterEach(() => {
  faults?.remove();
  if (folder) rmSync(folder, { recursive: true });
  [faults, folder] = [undefined, undefined];
});

/** Compiles and runs in a runtime of its own. @returns how many programs were made of texts, and of code */
async function run(cache: string | ProgramStore): Promise<readonly [texts: number, codes: number]> {
  const calls = (): [number, number] => [
    faults?.calls("clCreateProgramWithSource") ?? 0,
    faults?.calls("clCreateProgramWithBinary") ?? 0,
  ];
  const before = calls();
  const runtime = await openclRuntime({ cache, device: "portable" });
  const program = await runtime.compile(next);
  expect((await program.run({ x })).y).toEqual(y);
  runtime.dispose();
  const after = calls();
  return [after[0] - before[0], after[1] - before[1]];
}

test("a later runtime compiles no text, but what is damaged or refused", async (context) => {
  await requireDevice(context, pocl);
  faults = await injectFaults();
  const kept = new Map<string, Uint8Array>();
  const store: ProgramStore = {
    get: (key) => kept.get(key),
    set: async (key, bytes) => void kept.set(key, bytes),
  };
  // The first runtime of the process probes the device.
  await run({ get: () => undefined, set: () => {} });
  const first = await run(store);
  expect(first[0]).toBeGreaterThan(0);
  expect([first[1], kept.size]).toEqual([0, first[0]]);
  expect(await run(store)).toEqual([0, first[0]]);
  const [texts] = first;
  const change = (made: (bytes: Uint8Array, key: string) => Uint8Array): void => {
    for (const [key, bytes] of kept) kept.set(key, made(bytes.slice(), key));
  };
  // A bit of the code, a part of it, nothing: compiled again, and kept again.
  change((bytes) => bytes.map((byte, i) => (i === 100 ? byte ^ 1 : byte)));
  expect(await run(store)).toEqual([texts, 0]);
  change((bytes) => bytes.subarray(0, bytes.length - 1));
  expect(await run(store)).toEqual([texts, 0]);
  change(() => new Uint8Array());
  expect(await run(store)).toEqual([texts, 0]);
  expect(await run(store)).toEqual([0, texts]);
  // What is whole, and no code of this driver.
  change((bytes, key) => {
    const code = bytes.slice(32).fill(7);
    return Buffer.concat([createHash("sha256").update(key).update(code).digest(), code]);
  });
  expect(await run(store)).toEqual([texts, texts]);
  expect(await run(store)).toEqual([0, texts]);
});

test("a folder holds whole files, and one to which others can write is refused", async (context) => {
  await requireDevice(context, pocl);
  faults = await injectFaults();
  folder = mkdtempSync(join(tmpdir(), "groupwise-cache-"));
  const inner = join(folder, "a", "b");
  const [texts] = await run(inner);
  expect(statSync(inner).mode & 0o777).toBe(0o700);
  expect(readdirSync(inner).every((name) => /^[0-9a-f]{64}\.bin$/.test(name))).toBe(true);
  expect(readdirSync(inner).length).toBe(texts);
  expect(await run(inner)).toEqual([0, texts]);
  chmodSync(inner, 0o770);
  await expect(run(inner)).rejects.toMatchObject({ code: "bad-file" });
  await expect(run(join(inner, readdirSync(inner)[0] as string))).rejects.toMatchObject({ code: "bad-file" });
  await expect(run({} as never)).rejects.toMatchObject({ code: "bad-argument" });
});
