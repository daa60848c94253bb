/** The runtime in a real browser, on its workers. */
import { fileURLToPath } from "node:url";
import { f32, pipeline } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { bundledScript, findBrowserGpu } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { cpuRuntime } from "../src/index.ts";

const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add"), total: x.reduce("add") }));
const x = Float32Array.from({ length: 2 ** 17 + 3 }, (_, i) => Math.sin(i) * 1000);

const RUNTIME = fileURLToPath(new URL("../src/index.ts", import.meta.url));
const PROGRAM = `
  const found = [];
  for (const threads of [1, 3]) {
    const runtime = runtimes.cpuRuntime({ threads });
    const executable = await runtime.compile(input.ir);
    found.push({ outputs: await executable.run({ x: input.x }), engine: runtime.engine, threads: runtime.threads });
    runtime.dispose();
  }
  return found;`;

deviceTest(
  "WebAssembly on the threads of an isolated page has the bits of Node",
  () => findBrowserGpu({ isolated: true }),
  async (page) => {
    const outputs = await (await cpuRuntime().compile(sums)).run({ x });
    const got = await page.run(`${await bundledScript(RUNTIME)}${PROGRAM}`, { ir: sums.ir, x });
    expect(got).toEqual([1, 3].map((threads) => ({ outputs, engine: "wasm", threads })));
    expect(page.messages).toEqual([]);
    await page.close();
  },
);
