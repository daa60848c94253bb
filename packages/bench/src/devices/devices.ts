/** Every device at hand, opened one after the other, and what is missing. */
import { GroupwiseError, type Runtime } from "@groupwise/core";
import { type GpuJsMode, gpuJsRuntime } from "@groupwise/target-js/gpu-js/runtime";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { listOpenClDevices, openclRuntime } from "@groupwise/target-opencl/runtime";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import {
  type DawnAdapter,
  DeviceMissingError,
  findOpenCl,
  type OpenClPlatform,
  openDawn,
} from "@groupwise/testkit/devices";

/** A device that can be opened in this process, or in another one on an OpenCL platform of its own. */
export interface Candidate {
  readonly name: string;
  /** Slow: small sizes only. */
  readonly slow: boolean;
  /** Compiling takes seconds: fewer operators where others of the same shape stand for them, save in full runs. */
  readonly thrifty?: boolean;
  open(): Promise<Runtime>;
  /** The platform that another process opens. */
  readonly elsewhere?: OpenClPlatform;
}

/** A device that cannot, and why. */
export interface Absent {
  readonly name: string;
  readonly reason: string;
}

/** A device with everything optional that it has, and the same one with nothing. */
function dawn(adapter: DawnAdapter, slow: boolean): readonly Candidate[] {
  const label = adapter === "default" ? {} : { name: adapter };
  const candidate = (name: string, options: object): Candidate => ({
    name,
    slow,
    thrifty: true,
    open: async () => webgpuRuntime(await openDawn({ adapter, ...options }), label),
  });
  const name = `Dawn ${adapter}`;
  return [candidate(name, {}), candidate(`${name}, nothing optional`, { features: [], limits: "default" })];
}
const gpuJs = (mode: GpuJsMode): Candidate => ({
  name: `gpu.js ${mode}`,
  slow: true,
  open: () => gpuJsRuntime({ mode }),
});
const notHere = (): Promise<Runtime> => Promise.reject(new Error("it is opened in another process"));

/**
 * What there may be here. OpenCL's devices are listed by its loader.
 * @param isFull also the devices that compile slowly, and those that are others with less
 * @param isAlone only those that this process can open
 */
export async function candidates(
  isFull: boolean = false,
  isAlone: boolean = false,
): Promise<{ found: readonly Candidate[]; absent: readonly Absent[] }> {
  const { GROUPWISE_ADAPTER } = process.env;
  const fixed: readonly Candidate[] = [
    { name: "JavaScript", slow: false, open: async () => jsRuntime() },
    gpuJs("cpu"),
    gpuJs("webasm"),
    ...dawn("lavapipe", false).slice(0, isFull ? 2 : 1),
    ...dawn("swiftshader", true).slice(0, isFull ? 1 : 0),
    ...(process.platform === "linux" ? [] : dawn("default", false)),
    ...(GROUPWISE_ADAPTER ? dawn(GROUPWISE_ADAPTER, false) : []),
  ];
  const absent: Absent[] = [];
  const opencl: Candidate[] = [];
  try {
    const devices = await listOpenClDevices();
    opencl.push(
      ...devices.map(({ name, driver }, index) => ({
        name: `OpenCL ${name} ${driver}`,
        slow: false,
        open: () => openclRuntime({ device: index }),
      })),
    );
    if (devices.length === 0) absent.push({ name: "OpenCL", reason: "the loader finds no device" });
  } catch (error) {
    absent.push({ name: "OpenCL", reason: absenceOf(error) });
  }
  if (!isAlone) {
    const pocl6 = findOpenCl("pocl6");
    const name = "OpenCL PoCL 6";
    if (pocl6.found) opencl.push({ name, slow: false, open: notHere, elsewhere: "pocl6" });
    else absent.push({ name, reason: `${pocl6.reason}; ${pocl6.remedy}` });
  }
  return { found: [...fixed, ...opencl], absent };
}

/** Those whose names hold one of the words; all where there are none. */
export function wantedOf(found: readonly Candidate[], words: readonly string[]): readonly Candidate[] {
  const holds = (name: string): boolean =>
    words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));
  return found.filter(({ name }) => holds(name));
}

/** Why a device is missing. @throws what is another error than that */
export function absenceOf(error: unknown): string {
  if (error instanceof DeviceMissingError) return error.message;
  if (error instanceof GroupwiseError && error.code === "device-missing")
    return `${error.what}; ${error.hint}`;
  throw error;
}
