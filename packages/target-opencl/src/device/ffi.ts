/** The OpenCL library through koffi: typed functions, and results of the right types. */
import type { Handle, Pool } from "@groupwise/core/queue";
import { type NativeCall, NativeLibrary, P } from "@groupwise/target-c/native";
import { STATUS } from "./constants.ts";

/** Memory of the host that a call reads or writes before it returns. */
export type HostMemory = ArrayBufferView | ArrayBuffer | null;

/** Calls that return a status. */
type Name =
  | "clGetPlatformIDs"
  | "clGetPlatformInfo"
  | "clGetDeviceIDs"
  | "clGetDeviceInfo"
  | "clReleaseContext"
  | "clReleaseCommandQueue"
  | "clReleaseMemObject"
  | "clReleaseProgram"
  | "clReleaseKernel"
  | "clReleaseEvent"
  | "clGetEventInfo"
  | "clGetEventProfilingInfo"
  | "clEnqueueMarkerWithWaitList"
  | "clEnqueueCopyBuffer"
  | "clBuildProgram"
  | "clGetProgramBuildInfo"
  | "clGetProgramInfo"
  | "clGetKernelWorkGroupInfo"
  | "clSetKernelArg"
  | "clEnqueueWriteBuffer"
  | "clEnqueueReadBuffer"
  | "clEnqueueFillBuffer"
  | "clEnqueueNDRangeKernel"
  | "clFlush"
  | "clFinish";
/** Calls that return an object, and a status through their last argument. */
type Maker =
  | "clCreateContext"
  | "clCreateCommandQueue"
  | "clCreateBuffer"
  | "clCreateSubBuffer"
  | "clCreateProgramWithSource"
  | "clCreateProgramWithBinary"
  | "clCreateKernel";

export const FUNCTIONS: Readonly<Record<Name, readonly string[]>> = {
  clGetPlatformIDs: ["uint32", P, P],
  clGetPlatformInfo: [P, "uint32", "size_t", P, P],
  clGetDeviceIDs: [P, "uint64", "uint32", P, P],
  clGetDeviceInfo: [P, "uint32", "size_t", P, P],
  clReleaseContext: [P],
  clReleaseCommandQueue: [P],
  clReleaseMemObject: [P],
  clReleaseProgram: [P],
  clReleaseKernel: [P],
  clReleaseEvent: [P],
  clGetEventInfo: [P, "uint32", "size_t", P, P],
  clGetEventProfilingInfo: [P, "uint32", "size_t", P, P],
  clEnqueueMarkerWithWaitList: [P, "uint32", P, P],
  clEnqueueCopyBuffer: [P, P, P, "size_t", "size_t", "size_t", "uint32", P, P],
  clBuildProgram: [P, "uint32", P, "str", P, P],
  clGetProgramBuildInfo: [P, P, "uint32", "size_t", P, P],
  clGetProgramInfo: [P, "uint32", "size_t", P, P],
  clGetKernelWorkGroupInfo: [P, P, "uint32", "size_t", P, P],
  clSetKernelArg: [P, "uint32", "size_t", P],
  clEnqueueWriteBuffer: [P, P, "uint32", "size_t", "size_t", P, "uint32", P, P],
  clEnqueueReadBuffer: [P, P, "uint32", "size_t", "size_t", P, "uint32", P, P],
  clEnqueueFillBuffer: [P, P, P, "size_t", "size_t", "size_t", "uint32", P, P],
  clEnqueueNDRangeKernel: [P, P, "uint32", P, P, P, "uint32", P, P],
  clFlush: [P],
  clFinish: [P],
};
// The last argument is the status.
export const MAKERS: Readonly<Record<Maker, readonly string[]>> = {
  clCreateContext: [P, "uint32", P, P, P],
  clCreateCommandQueue: [P, P, "uint64"],
  clCreateBuffer: [P, "uint64", "size_t", P],
  clCreateSubBuffer: [P, "uint64", "uint32", P],
  clCreateProgramWithSource: [P, "uint32", "const char **", P],
  clCreateProgramWithBinary: [P, "uint32", P, P, P, P],
  clCreateKernel: [P, "str"],
};

type Argument = Handle | HostMemory | number | string | readonly string[];

/** Two-step queries: `(object, [more,] what, size, value, size of the value)`. */
type InfoName =
  | "clGetPlatformInfo"
  | "clGetDeviceInfo"
  | "clGetEventInfo"
  | "clGetEventProfilingInfo"
  | "clGetProgramBuildInfo"
  | "clGetProgramInfo"
  | "clGetKernelWorkGroupInfo";

/** The library. Every call that does not succeed throws `device-error` with the call's and the status's name. */
export class OpenCl extends NativeLibrary<Name, Argument> {
  private readonly yields: (() => unknown) | undefined;
  /** The address of memory, for calls that take pointers in an array. */
  readonly addressOf: (memory: ArrayBufferView) => Handle;

  /** @param yields lets other threads run on this one's core */
  constructor(
    natives: ReadonlyMap<string, NativeCall>,
    yields: (() => unknown) | undefined,
    addressOf: (memory: ArrayBufferView) => Handle,
    device: string = "OpenCL",
    where: string = "",
  ) {
    super(natives, device, where);
    this.yields = yields;
    this.addressOf = addressOf;
  }

  /** The same library, whose errors name a device, and where it was used. */
  for(device: string, where: string = ""): OpenCl {
    return new OpenCl(this.natives, this.yields, this.addressOf, device, where);
  }

  /** Lets other threads run on the core of this one, such as those of a device that is a CPU. */
  letOthersRun(): void {
    this.yields?.();
  }

  make(name: Maker, ...args: readonly Argument[]): Handle {
    const status = new Int32Array(1);
    const made = this.native(name)(...args, status) as Handle | null;
    this.check(name, status[0] as number);
    return made as Handle;
  }

  /** Lets a pool release an object. A status then is of no use to anyone: the object is gone either way. */
  own(pool: Pool, release: Name, object: Handle): Handle {
    return pool.add(object, (handle) => this.status(release, handle));
  }

  protected nameOf(_: string, status: number): string {
    return STATUS[status] ?? String(status);
  }

  bytes(name: InfoName, ...args: readonly Argument[]): Uint8Array {
    const size = new BigUint64Array(1);
    this.call(name, ...args, 0, null, size);
    const value = new Uint8Array(Number(size[0]));
    this.call(name, ...args, value.byteLength, value, null);
    return value;
  }

  text(name: InfoName, ...args: readonly Argument[]): string {
    return new TextDecoder()
      .decode(this.bytes(name, ...args))
      .replaceAll("\0", "")
      .trim();
  }

  integer(name: InfoName, ...args: readonly Argument[]): bigint {
    return this.bytes(name, ...args).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  }
}
