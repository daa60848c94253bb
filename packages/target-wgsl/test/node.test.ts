/** Devices in Node, in processes of their own: their variables are local, and what nothing holds is collected at once. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import {
  type Found,
  found,
  missing,
  type ProcessResult,
  runProcess,
  scratchDirectory,
  vulkanDrivers,
  vulkanEnvironment,
} from "@groupwise/testkit/devices";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { nodeDevice } from "../src/node.ts";

const folder = scratchDirectory();
afterAll(() => rmSync(folder, { recursive: true }));

const source = (path: string): string => JSON.stringify(join(import.meta.dirname, path));

/** The environment in which lavapipe is the first adapter. */
function lavapipe(): Found<Readonly<Record<string, string>>> {
  const driver = vulkanDrivers().find(({ name }) => name === "lavapipe");
  return driver
    ? found(vulkanEnvironment(driver.file))
    : missing("no Vulkan driver of lavapipe is installed");
}

/** Runs statements with forced collections; as in a loader that makes a module a function, their variables are local. */
async function collected(body: string, env: Readonly<Record<string, string>>): Promise<ProcessResult> {
  const file = join(folder, "program.ts");
  writeFileSync(
    file,
    `import { nodeDevice } from ${source("../src/node.ts")};
import { webgpuRuntime } from ${source("../src/runtime.ts")};
import { pipeline, scalar, u32 } from ${source("../../dsl/src/index.ts")};

const sums = pipeline("sums", { x: u32 }, ({ x }) => ({
  running: x.scanInclusive("add"),
  total: scalar(x.reduce("add")),
  largest: x.reduce("max"),
}));
setInterval(gc, 20).unref();
async function main() {
${body}
}
await main();
`,
  );
  const outfile = join(import.meta.dirname, `../.cache/program-${process.pid}.mjs`);
  const conditions = ["@groupwise/source"];
  const external = ["webgpu"];
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions,
    external,
  });
  try {
    return await runProcess(process.execPath, ["--expose-gc", outfile], { env });
  } finally {
    rmSync(outfile);
  }
}

/** As on the first page of the site, of integers: llvmpipe compiles them in a quarter of the time. */
const COMPUTE = `const program = await webgpuRuntime(device).compile(sums);
const { running, total, largest } = await program.run({ x: Uint32Array.of(1, 2, 3, 4) });
console.log(running.join(" "), "total", total, "largest", largest[0]);
`;
const PRINTED = "1 3 6 10 total 10 largest 4\n";

const PROGRAMS: readonly (readonly [title: string, turns: number, body: string])[] = [
  [
    "that destroys its device",
    isFullRun() ? 3 : 1,
    `const device = await nodeDevice();\n${COMPUTE}device.destroy();`,
  ],
  ["that forgets its device", 1, `const device = await nodeDevice({ adapter: "llvmpipe" });\n${COMPUTE}`],
  [
    "that opens a device after others were collected",
    1,
    `for (let i = 0; i < 3; i++) {
  const device = await nodeDevice();
  await new Promise((done) => setTimeout(done, 50));
  if (i === 2) {${COMPUTE}}
  device.destroy();
}`,
  ],
];

describe("a program", () => {
  for (const [title, turns, body] of PROGRAMS) {
    deviceTest(`${title} has its results and ends`, lavapipe, async (env) => {
      for (let turn = 0; turn < turns; turn++) {
        const { code, signal, stdout, stderr } = await collected(body, env);
        expect({ code, signal, stdout, stderr }).toEqual({
          code: 0,
          signal: null,
          stdout: PRINTED,
          stderr: "",
        });
      }
    });
  }
});

describe("options", () => {
  deviceTest("choose limits and features", lavapipe, async (env) => {
    const print = `console.log(device.limits.maxComputeInvocationsPerWorkgroup, [...device.features].includes("subgroups"));
device.destroy();`;
    const { stdout } = await collected(
      `let device = await nodeDevice({ limits: "default", features: [] });
${print}
device = await nodeDevice({ disable: ["timestamp_quantization"] });
${print}`,
      env,
    );
    expect(stdout).toBe("256 false\n1024 true\n");
  });

  test.each([
    ["text"],
    [{ adapter: "" }],
    [{ adapter: 1 }],
    [{ limits: "all" }],
    [{ features: "subgroups" }],
    [{ enable: [1] }],
  ])("that are wrong are an error: %j", async (options) => {
    await expect(nodeDevice(options as never)).rejects.toMatchObject({ code: "bad-argument" });
  });
});

describe("a device that is missing", () => {
  const print = `.catch(({ code, where, what, hint }) => console.log(JSON.stringify({ code, where, what, hint })));`;

  deviceTest("the error names the adapters that there are", lavapipe, async (env) => {
    const { stdout } = await collected(`await nodeDevice({ adapter: "no such" })${print}`, env);
    expect(JSON.parse(stdout)).toEqual({
      code: "device-missing",
      where: "nodeDevice",
      what: expect.stringMatching(/"no such".*llvmpipe/),
      hint: expect.stringContaining("`adapter`"),
    });
  });
});
