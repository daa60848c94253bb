/** Every device at hand, opened one after the other, and what is missing. */
import { GroupwiseError, type Runtime } from "@groupwise/core";
import { type GpuJsMode, gpuJsRuntime } from "@groupwise/target-js/gpu-js/runtime";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { listOpenClDevices, openclRuntime } from "@groupwise/target-opencl/runtime";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { type DawnAdapter, DeviceMissingError, openDawn } from "@groupwise/testkit/devices";

/** A device that can be opened. */
export interface Candidate {
  readonly name: string;
  /** Slow: small sizes only. */
  readonly slow: boolean;
  open(): Promise<Runtime>;
}

/** A device that cannot, and why. */
export interface Absent {
  readonly name: string;
  readonly reason: string;
}

const dawn = (adapter: DawnAdapter, name: string, slow: boolean): Candidate => ({
  name,
  slow,
  open: async () =>
    webgpuRuntime(await openDawn({ adapter }), adapter === "default" ? {} : { name: adapter }),
});
const gpuJs = (mode: GpuJsMode): Candidate => ({
  name: `gpu.js ${mode}`,
  slow: true,
  open: () => gpuJsRuntime({ mode }),
});

/** What there may be here. OpenCL's devices are listed by its loader. */
export async function candidates(): Promise<{ found: readonly Candidate[]; absent: readonly Absent[] }> {
  const fixed: readonly Candidate[] = [
    { name: "JavaScript", slow: false, open: async () => jsRuntime() },
    gpuJs("cpu"),
    gpuJs("webasm"),
    dawn("lavapipe", "Dawn lavapipe", false),
    dawn("swiftshader", "Dawn SwiftShader", true),
    ...(process.platform === "linux" ? [] : [dawn("default", "Dawn default", false)]),
    ...(process.env.GROUPWISE_ADAPTER
      ? [dawn(process.env.GROUPWISE_ADAPTER, `Dawn ${process.env.GROUPWISE_ADAPTER}`, false)]
      : []),
  ];
  try {
    const devices = await listOpenClDevices();
    const opencl = devices.map((info, index) => ({
      name: `OpenCL ${info.name}`,
      slow: false,
      open: () => openclRuntime({ device: index }),
    }));
    const absent = opencl.length === 0 ? [{ name: "OpenCL", reason: "the loader finds no device" }] : [];
    return { found: [...fixed, ...opencl], absent };
  } catch (error) {
    return { found: fixed, absent: [{ name: "OpenCL", reason: absenceOf(error) }] };
  }
}

/** Why a device is missing. @throws what is another error than that */
export function absenceOf(error: unknown): string {
  if (error instanceof DeviceMissingError) return error.message;
  if (error instanceof GroupwiseError && error.code === "device-missing")
    return `${error.what}; ${error.hint}`;
  throw error;
}
