/** Pipelines in one pass that first run in several passes: which form runs, what it gives, and what happens if the compiler fails. */
import { check, type GroupwiseError } from "@groupwise/core";
import { expected, sumsInOnePass as sums } from "@groupwise/testkit";
import { deviceTest } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { capabilitiesOf } from "../src/index.ts";
import { type WebGpuRuntime, webgpuRuntime } from "../src/runtime.ts";
import { dataFor, differences } from "./compare.ts";
import { dawn } from "./devices.ts";

const codeOf = (act: () => unknown): Promise<string> =>
  (async () => act())().then(
    () => "nothing",
    (error: GroupwiseError) => error.code,
  );

const N = 3 * 4096 + 17;
const values = dataFor(sums.ir, N);
const want = expected(check(sums.ir), values, { n: N });

/** A device on which the pass in one pass is compiled when the test says so, and the passes that it recorded. */
function withheld(device: GPUDevice): { release: (error?: Error) => void; recorded: string[] } {
  let release: (error?: Error) => void = () => {};
  const released = new Promise<void>((resolve, reject) => {
    release = (error) => (error ? reject(error) : resolve());
  });
  released.catch(() => {});
  const { createComputePipelineAsync, createBindGroup } = device;
  device.createComputePipelineAsync = async (given) => {
    // The tail is a pass of this form alone.
    if (given.label === "tail") await released;
    return createComputePipelineAsync.call(device, given);
  };
  const recorded: string[] = [];
  device.createBindGroup = (given) => {
    recorded.push(given.label ?? "");
    return createBindGroup.call(device, given);
  };
  return { release, recorded };
}

function lookingBackEarly(device: GPUDevice, early: boolean): WebGpuRuntime {
  const lookBack = { workGroupSize: 128, rows: 8, groups: 3, polls: 16 };
  return webgpuRuntime(device, {
    early,
    capabilities: { ...capabilitiesOf(device), lookBack, maxItems: 1024 * 4096 },
  });
}

describe("the option early", () => {
  deviceTest("runs several passes until the one is compiled, with the same bits", dawn, async (device) => {
    const { release, recorded } = withheld(device);
    const program = await lookingBackEarly(device, true).compile(sums.ir);
    expect(program.plan.strategy).toBe("look-back");
    expect(differences(sums.ir, values, await program.run(values, { n: N }), N, want)).toEqual([]);
    expect(recorded).toContain("tile_totals");
    expect(recorded).not.toContain("tail");
    release();
    await program.whenCompiled();
    recorded.length = 0;
    expect(differences(sums.ir, values, await program.run(values, { n: N }), N, want)).toEqual([]);
    expect(recorded).toContain("tail");
    expect(recorded).not.toContain("tile_totals");
  });

  deviceTest("asks for scratch that either form can use", dawn, async (device) => {
    const { release } = withheld(device);
    const either = await lookingBackEarly(device, true).compile(sums.ir);
    release();
    const one = await lookingBackEarly(device, false).compile(sums.ir);
    const lookBack = { unsupported: "not in this test" };
    const capabilities = { ...capabilitiesOf(device), lookBack, maxItems: 1024 * 4096 };
    const several = await webgpuRuntime(device, { capabilities }).compile(sums.ir);
    const bytes = [one, several].map((program) => program.scratchBytes(N));
    expect(bytes[0]).not.toBe(bytes[1]);
    expect(either.scratchBytes(N)).toBe(Math.max(...bytes));
  });

  deviceTest("reports what the compiler says of the one pass", dawn, async (device) => {
    const { release } = withheld(device);
    const program = await lookingBackEarly(device, true).compile(sums.ir);
    await program.run(values, { n: N });
    release(new Error("not today"));
    expect(await codeOf(() => program.whenCompiled())).toBe("device-error");
    expect(await codeOf(() => program.run(values, { n: N }))).toBe("device-error");
  });

  deviceTest("is off by default: compile waits for the one pass", dawn, async (device) => {
    const { release, recorded } = withheld(device);
    const compiling = lookingBackEarly(device, false).compile(sums.ir);
    release();
    const program = await compiling;
    await program.whenCompiled();
    await program.run(values, { n: N });
    expect(recorded).not.toContain("tile_totals");
  });
});
