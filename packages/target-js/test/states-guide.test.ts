import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { stream } from "@groupwise/core/state";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, test, vi } from "vitest";
import { meter, totalOf } from "./fixtures/chunks.ts";
import { ends } from "./fixtures/compaction.ts";
import { onAllCores } from "./fixtures/cores.ts";
import { remaining } from "./fixtures/from-end.ts";
import { positives } from "./fixtures/kept.ts";
import { inTwoParts } from "./fixtures/parts.ts";
import { largest, softmax } from "./fixtures/rounds.ts";
import { onBoth } from "./fixtures/several.ts";
import { twice } from "./fixtures/stay.ts";

const textOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8").trim();
const load = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i) + 1.1);
const midnight = Uint8Array.from(load, (_, i) => Number(i % 96 === 0));

test("the page about states has the current examples", () => {
  const page = textOf("../../../apps/docs/states.md");
  const blocks = page.match(/^```[\s\S]*?^```/gm);
  expect(blocks).toEqual(
    ["chunks", "rounds", "from-end", "compaction", "parts", "cores", "several", "stay", "kept"].map(
      (name) => `\`\`\`ts\n${textOf(`fixtures/${name}.ts`)}\n\`\`\``,
    ),
  );
});

test("and they return the documented results", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const runtime = jsRuntime();
  const whole = await (await runtime.compile(meter)).run({ load, midnight });
  const chunks = [0, 7, 700].map((from, i, all) => ({
    load: load.subarray(from, all[i + 1]),
    midnight: midnight.subarray(from, all[i + 1]),
  }));
  expect(await totalOf(chunks)).toBe(whole.total);
  expect(log.mock.calls).toEqual([
    ["7 items, 7 in this chunk"],
    ["700 items, 693 in this chunk"],
    ["1000 items, 300 in this chunk"],
  ]);
  const { y } = await (await runtime.compile(softmax)).run({ x: load });
  const again = () => [{ x: load.subarray(0, 7) }, { x: load.subarray(7) }];
  expect(await largest(again)).toBe(Math.max(...y));
  const rest: number[][] = [];
  for await (const { outputs } of remaining([{ paid: Float32Array.of(1, 2) }, { paid: Float32Array.of(4) }]))
    rest.push([...outputs.rest]);
  expect(rest).toEqual([[4], [7, 6]]);
  const found: number[][] = [];
  const texts = ["a\n", "b", "\n\n"].map((text) => ({ text: new TextEncoder().encode(text) }));
  for await (const { outputs } of stream(runtime, ends, texts)) found.push([...outputs.ends]);
  expect(found).toEqual([[1], [], [3, 4]]);
  const parts = await inTwoParts(load, midnight, 333);
  expect(parts.outputs.peakOfDay).toEqual(whole.peakOfDay.slice(333));
  expect(parts.outputs.total).toBe(whole.total);
  expect(parts.whole.to).toBe(1000n);
  expect(await onAllCores(load, midnight)).toEqual(whole);
  expect(await onBoth(jsRuntime(), jsRuntime(), load, midnight)).toEqual(whole);
  const sums = (from: Float32Array): Float32Array => {
    let sum = 0;
    return from.map((x) => (sum += x));
  };
  const small = Float32Array.from({ length: 300 }, (_, i) => i % 5);
  expect(await twice([jsRuntime(), jsRuntime(), jsRuntime()], small)).toEqual(sums(sums(small)));
  const signs = small.map((value) => value - 2);
  const { kept, counts } = await positives([jsRuntime(), jsRuntime()], signs);
  expect(kept).toEqual(signs.filter((value) => value > 0));
  expect(counts.reduce((a, b) => a + b)).toBe(120);
  log.mockRestore();
});
