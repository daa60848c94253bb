/** The adapters of the page for users of other libraries: their text on the page, and their results in Chromium. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { f32, pipeline } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { wgslHeader } from "@groupwise/target-wgsl/header";
import { deviceTest } from "@groupwise/testkit/conformance";
import { findBrowserGpu, orThrow } from "@groupwise/testkit/devices";
import { fetched } from "@groupwise/testkit/packed";
import { build } from "esbuild";
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

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [here("adapters/page.js")],
    nodePaths: [orThrow(await fetched(...LIBRARIES))],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "adapters",
    conditions: ["@groupwise/source"],
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

test.each(["typegpu", "three"])("the page shows the current adapter for %s", (name) => {
  expect(PAGE).toContain(`\`\`\`js\n${readFileSync(here(`adapters/${name}.js`), "utf8")}\`\`\``);
});

describe("at work", () => {
  const header = wgslHeader({ workGroupSize: 64, functions: ["scan-inclusive-add-f32"] });

  for (const use of ["useTypeGpu", "useThree"])
    deviceTest(
      `${use}: our pipeline on its buffers, our WGSL in its kernel`,
      findBrowserGpu,
      async (page) => {
        const input = { ir: sums.ir, x, header };
        const got = await page.run<{ all: Float32Array; group: Float32Array }>(
          `${await bundled()}\nreturn adapters.${use}(input);`,
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
