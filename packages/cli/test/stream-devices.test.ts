/** `run --stream` on a device with work-groups: it goes on where another device stopped. */
import { stringifyPipeline } from "@groupwise/core/schema";
import { bool, f32, pipeline } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { findOpenCl } from "@groupwise/testkit/devices";
import { expect, test } from "vitest";
import { survey } from "../src/devices/index.ts";
import { writeNpy } from "../src/values/npy.ts";
import { cli, expectResumed, folder, listed } from "./support.ts";

const N = 3001;
const { ir } = pipeline("sums", { x: f32, starts: bool }, ({ x, starts }) => ({
  sums: x.scanInclusive("add"),
  total: x.reduce("add"),
  count: starts.toU32().reduce("add"),
}));

deviceTest(
  "a stream that stopped in JavaScript goes on in OpenCL, and writes the files of one run",
  () => findOpenCl("pocl"),
  async ({ env }) => {
    Object.assign(process.env, env);
    const starts = Uint8Array.from({ length: N }, (_, i) => Number(i % 7 === 0));
    const at = folder({
      "sums.json": stringifyPipeline(ir),
      "x.npy": writeNpy(
        "f32",
        Float32Array.from({ length: N }, (_, i) => Math.sin(i) * 1000),
      ),
      "starts.raw": starts,
    });
    const run = ["run", "sums.json", "-i", "x=x.npy", "-i", "starts=starts.raw:bool"];
    await expectResumed({ at, run, starts }, 1500, 1000, undefined, "--target", "opencl");
  },
);

test("several devices are refused, with their names", async (context) => {
  const { devices, missing } = await survey(["gpujs"]);
  if (devices.length < 2) context.skip(missing[0]?.reason ?? "gpu.js has only one device");
  const at = folder({ "sums.json": stringifyPipeline(ir), "x.raw": "", "starts.raw": "" });
  const args = ["-i", "x=x.raw:f32", "-i", "starts=starts.raw:bool", "--stream", "--out", "o", "--json"];
  const { error } = (
    await cli(at, "run", "sums.json", ...args, "--target", "gpujs", "--device", "all")
  ).json();
  expect(error.code).toBe("bad-usage");
  for (const { name } of devices) expect(error.what).toContain(name);
  expect(listed(at)).not.toContain("o");
});
