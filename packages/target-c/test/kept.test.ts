/** Libraries that stay in a folder: found by everything that they depend on, and made again where they cannot be loaded. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { f32, pipeline } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { cRuntime } from "../src/runtime.ts";
import { emptyFolder, findProgram } from "./support.ts";

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ upTo: x.scanInclusive("add") }));
const products = pipeline("products", { x: f32 }, ({ x }) => ({ upTo: x.scanInclusive("mul") }));
const x = Float32Array.of(2, 3, 4);

async function run(
  folder: string,
  source: typeof sums,
  options: readonly string[] = ["-O2"],
): Promise<number[]> {
  const runtime = await cRuntime({ compiler: "gcc", options, cache: folder });
  const program = await runtime.compile(source);
  const { upTo } = await program.run({ x });
  program.dispose();
  runtime.dispose();
  return [...upTo];
}

deviceTest(
  "a library is kept for its text and options, and a broken one is made again",
  () => findProgram("gcc"),
  async () => {
    const folder = join(emptyFolder(), "deep");
    expect(await run(folder, sums)).toEqual([2, 5, 9]);
    const [first] = readdirSync(folder) as [string];
    expect(await run(folder, sums)).toEqual([2, 5, 9]);
    expect(readdirSync(folder)).toEqual([first]);
    expect(await run(folder, products)).toEqual([2, 6, 24]);
    expect(await run(folder, sums, ["-O1"])).toEqual([2, 5, 9]);
    expect(readdirSync(folder)).toHaveLength(3);
    // The one that stands for another text would give its results.
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "no library");
    expect(await run(folder, products)).toEqual([2, 6, 24]);
  },
);

deviceTest(
  "a folder that cannot be written is an error",
  () => findProgram("gcc"),
  async () => {
    const file = join(emptyFolder(), "file");
    writeFileSync(file, "");
    await expect(run(file, sums)).rejects.toMatchObject({ code: "device-error" });
  },
);
