/** The runtime takes subgroups where the device has them and they turn out as expected; else it does without. */
import { emit, GroupwiseError } from "@groupwise/core";
import { subgroupProblem } from "@groupwise/core/target";
import { collectivesOf, runAll } from "@groupwise/testkit";
import { deviceTest } from "@groupwise/testkit/conformance";
import { describe, expect, test } from "vitest";
import { WGSL_CAPABILITIES, wgsl } from "../src/index.ts";
import { webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";

const groupsOf = (workGroupSize: number) =>
  // Of floats the runtime tests more.
  collectivesOf({ type: "u32", scope: "work-group", workGroupSize, ops: ["add", "max"] });
const forcing = { capabilities: { ...WGSL_CAPABILITIES, subgroups: { minSize: 4, maxSize: 128 } } };
const codeOf = (act: () => unknown): Promise<string> =>
  Promise.resolve()
    .then(act)
    .then(
      () => "nothing thrown",
      (error: unknown) => (error instanceof GroupwiseError ? error.code : String(error)),
    );

describe("emitted text", () => {
  test("has no subgroups if no device is known", () => {
    const { manifest, files } = emit(groupsOf(64), wgsl);
    expect(manifest.requires).toEqual([]);
    expect(files[0]?.text).not.toMatch(/subgroup/);
  });

  test.each([
    [64, true],
    [100, false],
    [1, false],
  ])("in work-groups of %i shuffles within subgroups: %s", (size, does) => {
    const { manifest, files } = emit(groupsOf(size), wgsl, forcing);
    expect(manifest.requires).toEqual(does ? ["subgroups"] : []);
    expect(/subgroupShuffle\(/.test(files[0]?.text ?? "")).toBe(does);
    // Tint checks the place that it reads in every call.
    expect(files[0]?.text).not.toContain("subgroupShuffleXor");
    expect(/^enable subgroups;$/m.test(files[0]?.text ?? "")).toBe(does);
  });
});

describe("the test of a device", () => {
  test("full subgroups of consecutive work-items are accepted", () =>
    expect(subgroupProblem([8, 8, 8, 8], 2)).toBe(undefined));
  test.each([
    ["another order", [8, 8, 0, 8], /do not consist of consecutive.*wrong at 0/],
    ["sizes that differ", [8, 8, 4, 4], /differ in size/],
    ["a size that is no power of two", [6, 6, 6, 6], /have 6 work-items/],
  ])("%s is reported", (_, found, reason) => expect(subgroupProblem(found, 2)).toMatch(reason));
});

describe("a runtime", () => {
  deviceTest("uses them by itself, where the size is a power of two above two", dawn, async (device) => {
    const runtime = webgpuRuntime(device);
    for (const [size, requires] of [
      [2, []],
      [4, ["subgroups"]],
      [64, ["subgroups"]],
      [256, ["subgroups"]],
      [100, []],
    ] as const) {
      const executable = await runtime.compile(groupsOf(size));
      expect(executable.manifest.requires).toEqual(requires);
      expect(await runAll(executable, groupsOf(size), [1, size - 1, size, 2 * size + 1])).toEqual([]);
    }
  });

  deviceTest("compiles the passes before the test of subgroups has run", dawn, async (device) => {
    const calls: string[] = [];
    const { createShaderModule } = device;
    device.createShaderModule = (given) => {
      calls.push(given.label || "test");
      return createShaderModule.call(device, given);
    };
    const { queue } = device;
    const { submit } = queue;
    queue.submit = (buffers) => {
      calls.push("submit");
      return submit.call(queue, buffers);
    };
    const executable = await webgpuRuntime(device).compile(groupsOf(32));
    // A probe of the operations follows.
    expect(calls.slice(0, 3)).toEqual(["test", executable.manifest.passes[0]?.file, "submit"]);
  });

  deviceTest("does without when told so", dawn, async (device) => {
    const runtime = webgpuRuntime(device, { subgroups: false });
    expect((await runtime.compile(groupsOf(64))).manifest.requires).toEqual([]);
    expect(runtime.capabilities.subgroups).toHaveProperty("unsupported");
  });

  const plain = () => dawn({ adapter: "lavapipe", features: [] });
  deviceTest("does without on a device that was made without them", plain, async (device) => {
    expect((await webgpuRuntime(device).compile(groupsOf(64))).manifest.requires).toEqual([]);
    expect(await codeOf(() => webgpuRuntime(device, { subgroups: true }))).toBe("unsupported");
    expect(await codeOf(() => webgpuRuntime(device).load(emit(groupsOf(64), wgsl, forcing)))).toBe(
      "unsupported",
    );
  });

  deviceTest("falls back where capabilities promise more than the device shows", plain, async (device) => {
    const runtime = webgpuRuntime(device, forcing);
    const executable = await runtime.compile(groupsOf(64));
    expect(executable.manifest.requires).toEqual([]);
    expect(runtime.capabilities.subgroups).toEqual({
      unsupported: expect.stringMatching(/without the feature/),
    });
    expect(
      await codeOf(() => webgpuRuntime(device, { ...forcing, subgroups: true }).compile(groupsOf(64))),
    ).toBe("unsupported");
  });
});
