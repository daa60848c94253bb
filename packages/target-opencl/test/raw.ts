/** Kernels of any text on a range of any shape: what a host in C would do, for tests of headers. */

import type { Handle } from "@groupwise/core/queue";
import { CL } from "../src/device/constants.ts";
import { chooseDevice, type FoundOpenclDevice, findDevices } from "../src/device/device.ts";
import type { OpenCl } from "../src/device/ffi.ts";
import { openLibrary } from "../src/device/library.ts";

/** A range and its work-groups, by dimension; the sizes need not divide where OpenCL C is 2.0 or newer. */
export interface Shape {
  readonly global: readonly number[];
  readonly local: readonly number[];
}

/** A context with one device, for built programs. */
export class Raw {
  private readonly cl: OpenCl;
  private readonly device: Handle;
  private readonly context: Handle;
  private readonly queue: Handle;
  /** The device's name. */
  readonly name: string;
  private readonly extensions: readonly string[];

  constructor(cl: OpenCl, { device, info }: FoundOpenclDevice) {
    this.cl = cl;
    this.device = device;
    this.name = info.name;
    this.extensions = info.extensions;
    this.context = cl.make("clCreateContext", null, 1, new BigUint64Array([device]), null, null);
    this.queue = cl.make("clCreateCommandQueue", this.context, device, 0);
  }

  static async open(): Promise<Raw> {
    const cl = await openLibrary();
    return new Raw(cl, chooseDevice(findDevices(cl), undefined));
  }

  has(extension: string): boolean {
    return this.extensions.includes(extension);
  }

  /** @throws Error with the build log */
  build(text: string, options: string): RawProgram {
    const { cl, context, device } = this;
    const program = cl.make("clCreateProgramWithSource", context, 1, [text], null);
    const status = cl.status("clBuildProgram", program, 0, null, options, null, null);
    if (status !== 0)
      throw new Error(cl.text("clGetProgramBuildInfo", program, device, CL.PROGRAM_BUILD_LOG));
    return new RawProgram(cl, context, this.queue, program);
  }
}

/** A built program. */
export class RawProgram {
  private readonly cl: OpenCl;
  private readonly context: Handle;
  private readonly queue: Handle;
  private readonly program: Handle;

  constructor(cl: OpenCl, context: Handle, queue: Handle, program: Handle) {
    this.cl = cl;
    this.context = context;
    this.queue = queue;
    this.program = program;
  }

  /** Runs a kernel whose arguments are arrays and uints, in order; arrays hold what it left afterwards. */
  run(name: string, args: readonly (ArrayBufferView | number)[], { global, local }: Shape): void {
    const { cl, queue } = this;
    const kernel = cl.make("clCreateKernel", this.program, name);
    const isArray = (arg: ArrayBufferView | number): arg is ArrayBufferView => typeof arg !== "number";
    const arrays = args.filter(isArray);
    const buffers = arrays.map((array) => {
      const bytes = Math.max(array.byteLength, 8);
      const buffer = cl.make("clCreateBuffer", this.context, CL.MEM_READ_WRITE, bytes, null);
      cl.call("clEnqueueWriteBuffer", queue, buffer, CL.TRUE, 0, array.byteLength, array, 0, null, null);
      return buffer;
    });
    args.forEach((arg, i) => {
      const value = isArray(arg)
        ? new BigUint64Array([buffers[arrays.indexOf(arg)] as Handle])
        : new Uint32Array([arg]);
      cl.call("clSetKernelArg", kernel, i, value.byteLength, value);
    });
    const sizes = [global, local].map((list) => BigUint64Array.from(list, BigInt));
    const [all, group] = sizes as [BigUint64Array, BigUint64Array];
    cl.call("clEnqueueNDRangeKernel", queue, kernel, global.length, null, all, group, 0, null, null);
    arrays.forEach((array, i) => {
      const buffer = buffers[i] as Handle;
      cl.call("clEnqueueReadBuffer", queue, buffer, CL.TRUE, 0, array.byteLength, array, 0, null, null);
      cl.call("clReleaseMemObject", buffer);
    });
    cl.call("clReleaseKernel", kernel);
  }
}
