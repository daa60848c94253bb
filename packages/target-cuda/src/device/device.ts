/** The devices of this machine, as CUDA's driver describes them. */
import type { QueueDevice } from "@groupwise/core/queue";
import { errorOf } from "@groupwise/core/target";
import type { Cuda } from "./ffi.ts";

/** The description of a device by its driver. */
export interface CudaDevice extends QueueDevice {
  /** Its index in the list, from 0. */
  readonly index: number;
  /** As the driver's library and the compiler report it: `CUDA 13.0, NVRTC 13.0`. */
  readonly driver: string;
  /** Major and minor number: `9.0`. */
  readonly computeCapability: string;
  readonly multiprocessors: number;
}

/** Numbers of cuda.h. */
const ATTRIBUTES = {
  maxWorkGroupSize: 1,
  localMemory: 8,
  multiprocessors: 16,
  major: 75,
  minor: 76,
} as const;

/** Bytes: allocations begin at multiples of it, and a load of 16 bytes needs no more. */
const ALIGNMENT = 256;
/** The least compute capability for which code is emitted: from 7.0 on, work-items of a warp make progress of their own. */
const LEAST_MAJOR = 7;

const versionOf = (number: number): string =>
  `${Math.floor(number / 1000)}.${Math.floor((number % 1000) / 10)}`;

/** The versions of the driver's library and of the compiler. */
export function driverOf(cuda: Cuda): string {
  const [major, minor] = [new Int32Array(1), new Int32Array(1)];
  cuda.call("nvrtcVersion", major, minor);
  return `CUDA ${versionOf(cuda.integer("cuDriverGetVersion"))}, NVRTC ${major[0]}.${minor[0]}`;
}

export function findDevices(cuda: Cuda): CudaDevice[] {
  const driver = driverOf(cuda);
  const count = cuda.integer("cuDeviceGetCount");
  return Array.from({ length: count }, (_, index) => describe(cuda, index, driver));
}

function describe(cuda: Cuda, index: number, driver: string): CudaDevice {
  const device = cuda.integer("cuDeviceGet", index);
  const attribute = (name: keyof typeof ATTRIBUTES): number =>
    cuda.integer("cuDeviceGetAttribute", ATTRIBUTES[name], device);
  const name = new Uint8Array(256);
  cuda.call("cuDeviceGetName", name, name.length, device);
  const memory = Number(cuda.make("cuDeviceTotalMem_v2", device));
  return {
    index,
    name: new TextDecoder().decode(name).replace(/\0.*$/s, "").trim(),
    driver,
    computeCapability: `${attribute("major")}.${attribute("minor")}`,
    multiprocessors: attribute("multiprocessors"),
    maxWorkGroupSize: attribute("maxWorkGroupSize"),
    localMemory: attribute("localMemory"),
    globalMemory: memory,
    maxAllocation: memory,
    alignment: ALIGNMENT,
  };
}

/**
 * The requested device: by index, or by a part of its name, case-insensitively. Default: the first.
 * @throws GroupwiseError `device-missing`
 */
export function chooseDevice(devices: readonly CudaDevice[], wish: number | string | undefined): CudaDevice {
  const matches = ({ index, name }: CudaDevice): boolean =>
    typeof wish === "string" ? name.toLowerCase().includes(wish.toLowerCase()) : index === (wish ?? 0);
  const what = wish === undefined ? "a CUDA device" : `the CUDA device ${JSON.stringify(wish)}`;
  const found = devices.find(matches);
  if (!found) {
    const listed = devices.map(({ index, name }) => `${index}: ${name}`).join("; ");
    const reason = devices.length === 0 ? "the driver has no device" : `there are ${listed}`;
    throw errorOf("device-missing", { what, reason });
  }
  if (Number.parseInt(found.computeCapability, 10) >= LEAST_MAJOR) return found;
  const reason = `${found.name} has compute capability ${found.computeCapability}, and ${LEAST_MAJOR}.0 is the least`;
  throw errorOf("device-missing", { what, reason });
}
