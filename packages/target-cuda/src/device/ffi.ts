/** The libraries of CUDA's driver and of its compiler through koffi: typed calls, whose failures are errors. */
import type { Handle } from "@groupwise/core/queue";
import { type Koffi, type NativeCall, NativeLibrary, P, type Signatures } from "@groupwise/target-c/native";

const INT = "int";
const U32 = "uint32";
const U64 = "uint64";
const SIZE = "size_t";

/** Functions of the driver, with the version of their types that a suffix gives. */
export const DRIVER: Signatures = {
  cuInit: [INT, [U32]],
  cuDriverGetVersion: [INT, [P]],
  cuGetErrorName: [INT, [INT, "_Out_ const char **"]],
  cuDeviceGetCount: [INT, [P]],
  cuDeviceGet: [INT, [P, INT]],
  cuDeviceGetName: [INT, [P, INT, INT]],
  cuDeviceGetAttribute: [INT, [P, INT, INT]],
  cuDeviceTotalMem_v2: [INT, [P, INT]],
  cuDevicePrimaryCtxRetain: [INT, [P, INT]],
  cuDevicePrimaryCtxRelease_v2: [INT, [INT]],
  cuCtxSetCurrent: [INT, [P]],
  cuStreamCreate: [INT, [P, U32]],
  cuStreamDestroy_v2: [INT, [P]],
  cuStreamSynchronize: [INT, [P]],
  cuStreamWaitEvent: [INT, [P, P, U32]],
  cuEventCreate: [INT, [P, U32]],
  cuEventRecord: [INT, [P, P]],
  cuEventQuery: [INT, [P]],
  cuEventSynchronize: [INT, [P]],
  cuEventDestroy_v2: [INT, [P]],
  cuEventElapsedTime: [INT, [P, P, P]],
  cuMemPoolCreate: [INT, [P, P]],
  cuMemPoolSetAttribute: [INT, [P, INT, P]],
  cuMemPoolDestroy: [INT, [P]],
  cuMemAllocFromPoolAsync: [INT, [P, SIZE, P, P]],
  cuMemFreeAsync: [INT, [U64, P]],
  cuMemHostAlloc: [INT, [P, SIZE, U32]],
  cuMemFreeHost: [INT, [P]],
  cuMemsetD32Async: [INT, [U64, U32, SIZE, P]],
  cuMemsetD8Async: [INT, [U64, "uint8", SIZE, P]],
  cuMemcpyHtoDAsync_v2: [INT, [U64, P, SIZE, P]],
  cuMemcpyDtoHAsync_v2: [INT, [P, U64, SIZE, P]],
  cuMemcpyDtoDAsync_v2: [INT, [U64, U64, SIZE, P]],
  cuModuleLoadData: [INT, [P, P]],
  cuModuleUnload: [INT, [P]],
  cuModuleGetFunction: [INT, [P, P, "str"]],
  cuFuncGetAttribute: [INT, [P, INT, P]],
  cuLaunchKernel: [INT, [P, U32, U32, U32, U32, U32, U32, U32, P, P, P]],
};

/** Functions of NVRTC, the compiler. */
export const COMPILER: Signatures = {
  nvrtcVersion: [INT, [P, P]],
  nvrtcGetErrorString: ["str", [INT]],
  nvrtcGetNumSupportedArchs: [INT, [P]],
  nvrtcGetSupportedArchs: [INT, [P]],
  nvrtcCreateProgram: [INT, [P, "str", "str", INT, P, P]],
  nvrtcDestroyProgram: [INT, [P]],
  nvrtcCompileProgram: [INT, [P, INT, "const char **"]],
  nvrtcGetProgramLogSize: [INT, [P, P]],
  nvrtcGetProgramLog: [INT, [P, P]],
  nvrtcGetCUBINSize: [INT, [P, P]],
  nvrtcGetCUBIN: [INT, [P, P]],
  nvrtcGetPTXSize: [INT, [P, P]],
  nvrtcGetPTX: [INT, [P, P]],
};

type Argument = Handle | ArrayBufferView | ArrayBuffer | number | string | readonly string[] | null;

/** Both libraries. Every call that does not succeed throws `device-error` with the call's and the status's name. */
export class Cuda extends NativeLibrary<string, Argument> {
  readonly koffi: Koffi;

  constructor(
    koffi: Koffi,
    natives: ReadonlyMap<string, NativeCall>,
    device: string = "CUDA",
    where: string = "",
  ) {
    super(natives, device, where);
    this.koffi = koffi;
  }

  /** The same libraries, whose errors name a device, and where it was used. */
  for(device: string, where: string = ""): Cuda {
    return new Cuda(this.koffi, this.natives, device, where);
  }

  /** An object or pointer that the call writes to its first argument. */
  make(name: string, ...args: readonly Argument[]): Handle {
    const made = new BigUint64Array(1);
    this.call(name, made, ...args);
    return made[0] as Handle;
  }

  /** A number of 32 bits that the call writes to its first argument. */
  integer(name: string, ...args: readonly Argument[]): number {
    const made = new Int32Array(1);
    this.call(name, made, ...args);
    return made[0] as number;
  }

  protected nameOf(call: string, status: number): string {
    if (call.startsWith("nvrtc")) return String(this.native("nvrtcGetErrorString")(status));
    const text: (string | null)[] = [null];
    this.native("cuGetErrorName")(status, text);
    return text[0] ?? String(status);
  }
}
