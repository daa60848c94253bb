/** Random expressions and pipelines in WGSL. Doubles are emulated, and take long to compile. */
import { isFullRun, type RandomCounts, random } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { capabilitiesOf } from "../src/index.ts";
import { webgpuRuntime } from "../src/runtime.ts";
import { dawn, runtimeOn } from "./devices.ts";

const full: RandomCounts = { trees: { f16: 120, f32: 528, f64: 36 }, pipelines: 48, pairs: 64 };

random("WGSL on lavapipe", () => runtimeOn("lavapipe"), {
  follows: true,
  // In other runs the cases of the corpus that failed in WGSL, and not on NVIDIA alone: JavaScript has all.
  only: ({ about }) => isFullRun() || /^(?!.*NVIDIA).*(?:WGSL|lavapipe)/.test(about),
  quick: { trees: { f16: 8, f32: 24, f64: 0 }, pipelines: 1 },
  full,
  size: "small",
});
// In other runs `subnormals.test.ts` and `suite-swiftshader.test.ts` have what this device does in another way.
if (isFullRun())
  random("WGSL on SwiftShader", () => runtimeOn("swiftshader"), {
    quick: { trees: { f16: 0, f32: 8, f64: 0 }, pipelines: 1 },
    full,
    size: "small",
  });

// Scratch is one array, and a kernel for each output. In every run the interpreter of kernels has it: `lower/test/share-scratch.test.ts`.
if (isFullRun())
  random(
    "WGSL on lavapipe that binds few arrays",
    async () => {
      const device = await dawn();
      if (!device.found) return device;
      const capabilities = { ...capabilitiesOf(device.value), arraysPerKernel: 1 };
      return found(webgpuRuntime(device.value, { capabilities }));
    },
    {
      quick: { trees: { f16: 0, f32: 0, f64: 0 }, pipelines: 1, pairs: 1 },
      full: { trees: { f16: 0, f32: 0, f64: 0 }, pipelines: 24, pairs: 32 },
      size: "small",
    },
  );
