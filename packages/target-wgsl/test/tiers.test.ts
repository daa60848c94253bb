/** Kernels that compile quickly run until the fastest ones are compiled, with the same bits. */
import { check } from "@groupwise/core";
import { lookBackFor, withHalfConversions } from "@groupwise/core/target";
import { f16, pipeline, u32 } from "@groupwise/dsl";
import { dataFor, differences, expected, namedCase, runAll, sumsInOnePass } from "@groupwise/testkit";
import { deviceTest, isFullRun, sharedBy } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { probeText } from "../src/device/half-conversions.ts";
import { capabilitiesOf } from "../src/index.ts";
import { type WebGpuOptions, type WebGpuRuntime, webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";
import { spied } from "./spied.ts";

const kept = namedCase("kept");
const n = 3 * 4096 + 17;
const options = { places: false } as const;
const halves = pipeline("halves", { x: f16 }, ({ x }) => ({ y: x.scanInclusive("add") }), options);
const map = pipeline("map", { x: u32 }, ({ x }) => ({ y: x.add(1) }), options);

const alone = pipeline("alone", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }), options);
/** Outside of full runs one scan: which texts are compiled, and when, does not depend on what they scan. */
const sums = isFullRun() ? sumsInOnePass : alone;

/** The fewest rows, which compile in the least time. */
const LOOK_BACK = { ...lookBackFor({ maxWorkGroupSize: 128 }), rows: 1 };

/** The kernels of look-back wait for the gate; `ran` has the entry points of the passes that were recorded. */
class Gate {
  readonly ran: string[] = [];
  /** Whether the device's conversions of halves were tested. */
  isTested = false;
  /** Whether the kernels of look-back were begun. */
  isBegun = false;
  /** Whether they may be: otherwise a program that waits for them fails, and does not hang. */
  mayBegin = true;
  open: () => void = () => {};
  fail: (error: Error) => void = () => {};
  private readonly opened = new Promise<void>((resolve, reject) => {
    this.open = resolve;
    this.fail = reject;
  });

  constructor() {
    this.opened.catch(() => {}); // kernels may never wait for it
  }

  /** Only look-back has a kernel named `tail`. */
  of(device: GPUDevice): GPUDevice {
    return spied(device, {
      createShaderModule: (descriptor: GPUShaderModuleDescriptor) => {
        this.isTested ||= descriptor.code === probeText;
        return device.createShaderModule(descriptor);
      },
      createComputePipelineAsync: async (descriptor: GPUComputePipelineDescriptor) => {
        if (descriptor.label === "tail") {
          if (!this.mayBegin) throw new Error("look-back is compiled before the first run");
          this.isBegun = true;
          await this.opened;
        }
        return device.createComputePipelineAsync(descriptor);
      },
      createCommandEncoder: (descriptor: GPUCommandEncoderDescriptor) => {
        const encoder = device.createCommandEncoder(descriptor);
        return spied(encoder, {
          beginComputePass: (given: GPUComputePassDescriptor) => {
            const pass = encoder.beginComputePass(given);
            return spied(pass, {
              setPipeline: (pipeline: GPUComputePipeline) => {
                this.ran.push(pipeline.label);
                pass.setPipeline(pipeline);
              },
            });
          },
        });
      },
    });
  }
}

const runtimeOn = (device: GPUDevice, waitFor?: WebGpuOptions["waitFor"]): WebGpuRuntime =>
  webgpuRuntime(device, {
    capabilities: { ...capabilitiesOf(device), lookBack: LOOK_BACK },
    ...(waitFor && { waitFor }),
  });

describe("kernels that compile quickly", () => {
  // Dawn compiles a text of a device once.
  const swiftshader = sharedBy(
    () => dawn({ adapter: "swiftshader" }),
    (device) => device.destroy(),
  );
  for (const { ir } of isFullRun() ? [sums, kept] : [sums]) {
    const values = dataFor(ir, n);
    const want = expected(check(ir), values, { n });
    deviceTest(`${ir.name}: run until the fastest are compiled`, swiftshader, async (device) => {
      const gate = new Gate();
      gate.mayBegin = false;
      const runtime = runtimeOn(gate.of(device), "quickest");
      const executable = await runtime.compile(ir);
      expect(executable.plan.strategy).toBe("look-back");
      expect(differences(ir, values, await executable.run(values, { n }), n, want)).toEqual([]);
      expect([gate.ran.includes("tail"), gate.isBegun]).toEqual([false, false]);
      gate.mayBegin = true;
      expect(differences(ir, values, await executable.run(values, { n }), n, want)).toEqual([]);
      expect([gate.ran.includes("tail"), gate.isBegun]).toEqual([false, true]);
      // Steps before and after share a recorder and scratch.
      const { inputs, sinks, types } = check(ir);
      const given = inputs.map(({ name, type }) => [name, runtime.array(type, values[name] as never)]);
      const outputs = () =>
        sinks.map(
          ({ id, name }) => [name, runtime.array(types[id] as "f32", want[name]?.length ?? n)] as const,
        );
      const scratch = runtime.array("u32", executable.scratchBytes(n) / 4);
      const recorder = runtime.record();
      const both = [outputs(), outputs()];
      gate.ran.length = 0;
      for (const own of both) {
        recorder.run(executable as never, Object.fromEntries([...given, ...own]), { n, scratch });
        gate.open();
        await executable.settled;
      }
      await recorder.submit();
      expect(gate.ran.filter((name) => name === "tail")).toEqual(["tail"]);
      for (const own of both) {
        const got = await Promise.all(own.map(async ([name, array]) => [name, await array.read()]));
        expect(differences(ir, values, Object.fromEntries(got), n, want)).toEqual([]);
      }
      gate.ran.length = 0;
      expect(differences(ir, values, await executable.run(values, { n }), n, want)).toEqual([]);
      expect(gate.ran.includes("tail")).toBe(true);
    });
  }

  deviceTest(
    "of halves do not wait for a test of conversions, which the fastest need",
    swiftshader,
    async (device) => {
      const gate = new Gate();
      const capabilities = withHalfConversions({ ...capabilitiesOf(device), lookBack: LOOK_BACK }, "exact");
      const runtime = webgpuRuntime(gate.of(device), { capabilities, waitFor: "quickest" });
      const executable = await runtime.compile(halves.ir);
      expect([await runAll(executable, halves.ir, [77]), gate.isTested, gate.isBegun]).toEqual([
        [],
        false,
        false,
      ]);
      gate.fail(new Error("it is not compiled here, as it takes seconds"));
      await expect(executable.settled).rejects.toThrow();
      expect([gate.isTested, gate.isBegun]).toEqual([true, true]);
    },
  );

  deviceTest("are the fastest where no scan runs over the range", dawn, async (device) => {
    const gate = new Gate();
    const executable = await runtimeOn(gate.of(device), "quickest").compile(map.ir);
    expect([executable.settled, executable.plan.strategy]).toEqual([undefined, "reduce-then-scan"]);
  });

  deviceTest("stay if the others cannot be compiled", swiftshader, async (device) => {
    const gate = new Gate();
    const executable = await runtimeOn(gate.of(device), "quickest").compile(sums.ir);
    gate.fail(new Error("no registers"));
    await expect(executable.settled).rejects.toEqual(
      expect.objectContaining({ code: "device-error", message: expect.stringContaining("no registers") }),
    );
    expect(await runAll(executable, sums.ir, [n])).toEqual([]);
    expect(gate.ran.includes("tail")).toBe(false);
  });

  deviceTest("are not compiled where they are not asked for", swiftshader, async (device) => {
    for (const waitFor of isFullRun() ? ([undefined, "fastest"] as const) : [undefined]) {
      const gate = new Gate();
      gate.open();
      const executable = await runtimeOn(gate.of(device), waitFor).compile(sums.ir);
      expect(executable.settled).toBeUndefined();
      expect(await runAll(executable, sums.ir, [n])).toEqual([]);
      expect(gate.ran.includes("tail")).toBe(true);
    }
    const wrong = runtimeOn(device).compile(sums.ir, { waitFor: "soon" as never });
    await expect(wrong).rejects.toEqual(expect.objectContaining({ code: "bad-argument" }));
  });
});
