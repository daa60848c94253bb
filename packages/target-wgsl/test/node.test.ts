/** Devices in Node, in processes of their own: their variables are local, and what nothing holds is collected at once. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import {
  type Found,
  found,
  missing,
  type ProcessResult,
  runProcess,
  vulkanDrivers,
  vulkanEnvironment,
} from "@groupwise/testkit/devices";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { nodeDevice } from "../src/node.ts";

/** The environment in which lavapipe is the first adapter. */
function lavapipe(): Found<Readonly<Record<string, string>>> {
  const driver = vulkanDrivers().find(({ name }) => name === "lavapipe");
  return driver
    ? found(vulkanEnvironment(driver.file))
    : missing("no Vulkan driver of lavapipe is installed");
}

const outfile = join(import.meta.dirname, `../.cache/program-${process.pid}.mjs`);
afterAll(() => rmSync(outfile, { force: true }));

/** The program of all tests, which runs its argument as the body of a function: so do loaders with modules, and variables are local. */
const PROGRAM = `import { nodeDevice } from "../src/node.ts";
import { webgpuRuntime } from "../src/runtime.ts";
import { pipeline, u32 } from "../../dsl/src/index.ts";

const doubled = pipeline("doubled", { x: u32 }, ({ x }) => ({ y: x.add(x) }));
setInterval(gc, 20).unref();
const { constructor: AsyncFunction } = async () => {};
await new AsyncFunction("nodeDevice", "webgpuRuntime", "doubled", process.argv[2])(nodeDevice, webgpuRuntime, doubled);
`;
let bundle: Promise<unknown> | undefined;

/** Runs statements with forced collections. */
async function collected(body: string, env: Readonly<Record<string, string>>): Promise<ProcessResult> {
  bundle ??= build({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@groupwise/source"],
    external: ["webgpu"],
  });
  await bundle;
  return runProcess(process.execPath, ["--expose-gc", outfile, body], { env });
}

/** Of integers, without a collective: llvmpipe compiles it in a small part of the time. */
const COMPUTE = `const program = await webgpuRuntime(device).compile(doubled);
const { y } = await program.run({ x: Uint32Array.of(1, 2, 3, 4) });
console.log(y.join(" "));
`;
const PRINTED = "2 4 6 8\n";

const PROGRAMS: readonly (readonly [title: string, body: string])[] = [
  ["that forgets its device", `const device = await nodeDevice({ adapter: "llvmpipe" });\n${COMPUTE}`],
  [
    "that destroys its device, after others were collected",
    `for (let i = 0; i < 3; i++) {
  const device = await nodeDevice();
  await new Promise((done) => setTimeout(done, 50));
  if (i === 2) {${COMPUTE}}
  device.destroy();
}`,
  ],
];

describe("a program", () => {
  for (const [title, body] of PROGRAMS)
    deviceTest(`${title} has its results and ends`, lavapipe, async (env) => {
      for (let turn = 0; turn < (isFullRun() ? 3 : 1); turn++) {
        const { code, signal, stdout, stderr } = await collected(body, env);
        expect({ code, signal, stdout, stderr }).toEqual({
          code: 0,
          signal: null,
          stdout: PRINTED,
          stderr: "",
        });
      }
    });
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
