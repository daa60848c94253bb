/** Workers of a page, in a real browser. */
import { fileURLToPath } from "node:url";
import { f32, pipeline } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { bundledScript, findBrowserGpu } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add"), total: x.reduce("add") }));
const x = Float32Array.from({ length: 5003 }, (_, i) => Math.sin(i) * 1000);

const RUNTIME = fileURLToPath(new URL("../src/workers/runtime.ts", import.meta.url));
const PROGRAM = `
  const runtime = runtimes.jsWorkersRuntime({ workers: 3, leastItems: 0 });
  const executable = await runtime.compile(input.ir);
  const outputs = await executable.run({ x: input.x });
  runtime.dispose();
  return { outputs, name: runtime.device.name };`;

deviceTest(
  "workers of an isolated page have the bits of one thread",
  () => findBrowserGpu({ isolated: true }),
  async (page) => {
    const want = await (await jsRuntime().compile(sums)).run({ x });
    const got = await page.run(`${await bundledScript(RUNTIME)}${PROGRAM}`, { ir: sums.ir, x });
    expect(got).toEqual({ outputs: want, name: "JavaScript, 3 workers" });
    expect(page.messages).toEqual([]);
    await page.close();
  },
);
