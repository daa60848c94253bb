/** The adapters of the page for users of other libraries: their text on the page, and their results in Chromium. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { wgslHeader } from "@groupwise/target-wgsl/header";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { deviceTest, inFullRuns } from "@groupwise/testkit/conformance";
import { findBrowserGpu, findDawn, orThrow } from "@groupwise/testkit/devices";
import { fetched } from "@groupwise/testkit/packed";
import { type BuildOptions, build } from "esbuild";
import { describe, expect, test } from "vitest";

const here = (path: string): string => join(import.meta.dirname, path);
const PAGE = readFileSync(here("../coming-from.md"), "utf8");

/** Some weeks old when the page was written. */
const LIBRARIES = ["typegpu@0.12.4", "three@0.186.1"];

const N = 640;
const x = Float32Array.from({ length: N }, (_, i) => Math.sin(i) * 10 ** (i % 5));
const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
const inGroups = pipeline(
  "in-groups",
  { x: f32 },
  ({ x }) => ({ y: x.scanInclusive("add", { scope: "work-group" }) }),
  { workGroupSize: 64 },
);

/** The first places at which results differ. */
const differing = (got: Float32Array, want: Float32Array): readonly unknown[] =>
  [...want].flatMap((value, i) => (Object.is(value, got[i]) ? [] : [[i, value, got[i]]])).slice(0, 5);

type From = Pick<BuildOptions, "nodePaths" | "alias">;

async function bundled(page: string, from: From, format: "iife" | "esm" = "iife"): Promise<string> {
  const { outputFiles } = await build({
    ...from,
    entryPoints: [here(`adapters/${page}.js`)],
    bundle: true,
    write: false,
    format,
    ...(format === "iife" && { globalName: "adapters" }),
    conditions: ["@groupwise/source"],
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

test.each(["typegpu", "three", "gridwise"])("the page shows the current adapter for %s", (name) => {
  expect(PAGE).toContain(`\`\`\`js\n${readFileSync(here(`adapters/${name}.js`), "utf8")}\`\`\``);
});

describe("at work", () => {
  const header = wgslHeader({ workGroupSize: 64, functions: ["scan-inclusive-add-f32"] });

  for (const use of ["useTypeGpu", "useThree"])
    deviceTest(
      `${use}: our pipeline on its buffers, our WGSL in its kernel`,
      inFullRuns("npm fetches both libraries", findBrowserGpu),
      async (page) => {
        const input = { ir: sums.ir, x, header };
        const nodePaths = [orThrow(await fetched(...LIBRARIES))];
        const got = await page.run<{ all: Float32Array; group: Float32Array }>(
          `${await bundled("page", { nodePaths })}\nreturn adapters.${use}(input);`,
          input,
        );
        const runtime = jsRuntime();
        const all = await (await runtime.compile(sums)).run({ x });
        const group = await (await runtime.compile(inGroups)).run({ x });
        expect([differing(got.all, all.y), differing(got.group, group.y)]).toEqual([[], []]);
        expect(page.messages.filter((one) => /error/i.test(one))).toEqual([]);
        await page.close();
      },
    );
});

/** Gridwise is in no registry: `git clone https://github.com/gridwise-webgpu/gridwise`, and name the folder. */
const GRIDWISE = process.env.GROUPWISE_GRIDWISE;

if (GRIDWISE)
  deviceTest(
    "Gridwise: our pipeline on the result of its scan",
    () => findDawn({ adapter: "lavapipe", features: ["subgroups"] }),
    async ({ device }) => {
      const adapter = await bundled("gridwise", { alias: { gridwise: GRIDWISE } }, "esm");
      const { runAfterScan } = await import(`data:text/javascript,${encodeURIComponent(adapter)}`);
      const values = Uint32Array.from({ length: 40_000 }, (_, i) => Math.imul(i, 2654435761) >>> 7);
      const after = pipeline("after", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
      const program = await webgpuRuntime(device).compile(after);
      const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
      const make = (usage: number): GPUBuffer => device.createBuffer({ size: values.byteLength, usage });
      const [input, maxima, y] = [STORAGE | COPY_DST, STORAGE | COPY_DST, STORAGE | COPY_SRC].map(make) as [
        GPUBuffer,
        GPUBuffer,
        GPUBuffer,
      ];
      device.queue.writeBuffer(input, 0, values);
      await runAfterScan(device, program, values.length, input, { x: maxima, y });
      const read = make(MAP_READ | COPY_DST);
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(y, 0, read, 0, values.byteLength);
      device.queue.submit([encoder.finish()]);
      await read.mapAsync(GPUMapMode.READ);
      let [most, sum] = [0, 0];
      const want = values.map((value) => {
        most = Math.max(most, value);
        sum = (sum + most) >>> 0;
        return sum;
      });
      expect(new Uint32Array(read.getMappedRange())).toEqual(want);
    },
  );
else test("Gridwise", (context) => context.skip("GROUPWISE_GRIDWISE names no checkout of it"));
