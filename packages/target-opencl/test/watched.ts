/** Watches which queues of OpenCL have work that the host has not waited for. Devices report that they are GPUs. */
import { CL } from "../src/device/constants.ts";
import { openLibrary } from "../src/device/library.ts";

type Call = ((...args: unknown[]) => unknown) & { async(...args: unknown[]): void };

const GPU = 4n;

export interface Watched {
  /** Kernels that were queued. */
  readonly kernels: number;
  /** Reads from queues with kernels that the host has not waited for. */
  readonly busyReads: number;
  /** Queues with kernels when the host began to wait for the first time. */
  readonly queuesBeforeWait: number;
  /** Buffers that the driver fills from memory of the host when it wants to. */
  readonly hostCopies: number;
  /** Begins to count anew. */
  forget(): void;
  remove(): void;
}

class Watch implements Watched {
  kernels = 0;
  busyReads = 0;
  queuesBeforeWait = 0;
  hostCopies = 0;
  private readonly busy = new Set<unknown>();
  private readonly natives: Map<string, Call>;
  private readonly originals: ReadonlyMap<string, Call>;

  constructor(natives: Map<string, Call>) {
    this.natives = natives;
    this.originals = new Map(natives);
    this.before("clEnqueueNDRangeKernel", (queue) => {
      this.kernels++;
      this.busy.add(queue);
    });
    this.before("clEnqueueReadBuffer", (queue) => {
      if (this.busy.has(queue)) this.busyReads++;
    });
    this.before("clCreateBuffer", (_, flags) => {
      if ((BigInt(flags as bigint) & CL.MEM_COPY_HOST_PTR) !== 0n) this.hostCopies++;
    });
    this.watchFinish();
    this.reportGpu();
  }

  forget(): void {
    this.kernels = 0;
    this.busyReads = 0;
    this.queuesBeforeWait = 0;
    this.hostCopies = 0;
  }

  remove(): void {
    for (const [name, call] of this.originals) this.natives.set(name, call);
  }

  private before(name: string, act: (first: unknown, second: unknown) => void): void {
    const call = this.originals.get(name) as Call;
    const watched = (...args: unknown[]): unknown => {
      act(args[0], args[1]);
      return call(...args);
    };
    this.natives.set(name, Object.assign(watched, { async: call.async.bind(call) }));
  }

  private reportGpu(): void {
    const call = this.originals.get("clGetDeviceInfo") as Call;
    const reported = (...args: unknown[]): unknown => {
      const status = call(...args);
      const [, what, , value] = args;
      if (what === CL.DEVICE_TYPE && value instanceof Uint8Array)
        new DataView(value.buffer).setBigUint64(0, GPU, true);
      return status;
    };
    this.natives.set("clGetDeviceInfo", Object.assign(reported, { async: call.async.bind(call) }));
  }

  private watchFinish(): void {
    const call = this.originals.get("clFinish") as Call;
    const finish = (queue: unknown): unknown => {
      const status = call(queue);
      this.busy.delete(queue);
      return status;
    };
    const async = (queue: unknown, answer: (error: unknown, status: number) => void): void => {
      call.async(queue, (error: unknown, status: number) => {
        this.queuesBeforeWait ||= this.busy.size;
        this.busy.delete(queue);
        answer(error, status);
      });
    };
    this.natives.set("clFinish", Object.assign(finish, { async }));
  }
}

export async function watchQueues(): Promise<Watched> {
  return new Watch(((await openLibrary()) as unknown as { natives: Map<string, Call> }).natives);
}
