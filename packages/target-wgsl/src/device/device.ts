/** A caller's device: its name, and its failures as typed errors. */
import { type DeviceInfo, GroupwiseError } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { answered } from "./answered.ts";
import { TimeSpan } from "./clock.ts";
import { type Limits, limitsOf } from "./limits.ts";
import type { CompileProgress } from "./pipelines.ts";
import { BufferPool } from "./pool.ts";
import { Staging } from "./staging.ts";
import { USAGE } from "./usage.ts";

const SCOPES: readonly GPUErrorFilter[] = ["validation", "out-of-memory", "internal"];
/** Milliseconds in which a loss may follow the failures that it causes. */
const GRACE = 20;

const KEPT = { usage: USAGE.STORAGE | USAGE.COPY_DST | USAGE.COPY_SRC, most: 2 ** 24 };

/** What a caller says of a device. */
interface GpuOptions {
  readonly name?: string | undefined;
  readonly limits?: Partial<Limits>;
  readonly onCompile?: (progress: CompileProgress) => void;
}

export class Gpu {
  readonly device: GPUDevice;
  readonly info: DeviceInfo;
  /** The limits of the device, or smaller ones; runs use only these. */
  readonly limits: Limits;
  readonly staging: Staging;
  /** Arrays of runs. Scratch of recordings is freed later than they are; in one pool a run would seldom bind the buffers of an earlier one. */
  readonly arrays: BufferPool;
  readonly scratch: BufferPool;
  /** Called for pipelines that take long to compile. */
  readonly onCompile: ((progress: CompileProgress) => void) | undefined;
  private readonly waiting = new Set<() => void>();
  /** Those of the submissions that are timed. */
  private spans: TimeSpan[] | undefined;
  private recent = "";
  private lostReason: string | undefined;

  constructor(device: GPUDevice, { name, limits, onCompile }: GpuOptions) {
    this.device = device;
    this.onCompile = onCompile;
    this.staging = new Staging(device);
    this.arrays = new BufferPool(device, { label: "array of a run", ...KEPT });
    this.scratch = new BufferPool(device, { label: "scratch", ...KEPT });
    this.limits = limitsOf(device, limits);
    const adapter: Partial<GPUAdapterInfo> = device.adapterInfo ?? {};
    const named = [adapter.description, adapter.device, adapter.vendor].find((text) => text);
    this.info = {
      target: "wgsl",
      name: name ?? named ?? "WebGPU device",
      driver: [adapter.vendor, adapter.description].filter(Boolean).join(", ") || "WebGPU",
      ...hardwareOf(adapter),
    };
    void device.lost.then(({ reason, message }) => {
      this.lostReason = message || reason || "no reason given";
      for (const lose of this.waiting) lose();
    });
  }

  private readonly pools = (): BufferPool[] => [this.staging.pool, this.arrays, this.scratch];

  /** Frees the buffers that are kept for later runs. */
  clear(): void {
    for (const pool of this.pools()) pool.clear();
  }

  /** Frees them, and those that are returned later. */
  close(): void {
    for (const pool of this.pools()) pool.close();
  }

  /** @throws GroupwiseError `device-lost` */
  assertThere(where?: string): void {
    if (this.lostReason !== undefined) throw this.lostError(where);
  }

  /** Submits commands, with timestamps around them while they are timed. */
  submit(buffers: readonly GPUCommandBuffer[]): void {
    const span = this.spans && new TimeSpan(this.device);
    if (span) this.spans?.push(span);
    this.device.queue.submit(span ? span.around(buffers) : buffers);
  }

  /** Does work whose submissions are timed until it returns. The caller destroys the spans. */
  timed<T>(work: () => T): { readonly result: T; readonly spans: readonly TimeSpan[] } {
    const [outer, spans] = [this.spans, [] as TimeSpan[]];
    this.spans = spans;
    try {
      return { result: work(), spans };
    } catch (error) {
      for (const span of spans) span.destroy();
      throw error;
    } finally {
      this.spans = outer;
    }
  }

  /** Names of pipelines for errors that arrive later, without their cause. */
  blame(where: string): void {
    this.recent = where;
  }

  /**
   * Does work on the device now. It throws typed errors at once; errors of the device arrive later.
   * @param where names of pipelines, for errors
   */
  watched<T>(where: string, work: () => T): { readonly result: T; readonly settled: Promise<void> } {
    for (const scope of SCOPES) this.device.pushErrorScope(scope);
    let scopes: Promise<(GPUError | null)[]> | undefined;
    const end = (): Promise<(GPUError | null)[]> =>
      (scopes ??= Promise.all(SCOPES.map(() => this.device.popErrorScope())));
    try {
      const result = work();
      const settled = this.orLost(end(), where).then((found) => {
        const error = found.find((one) => one !== null);
        if (error) throw this.error(error, where);
      });
      settled.catch(() => {}); // the caller sees the rejection
      return { result, settled };
    } catch (error) {
      end().catch(() => {});
      throw this.error(error, where);
    }
  }

  /**
   * Does work on the device. All its calls are made before `work` returns; its result may arrive later.
   * @throws GroupwiseError `device-error` for what an error scope or the API reports, `device-lost`
   */
  async guarded<T>(work: () => T | Promise<T>, where?: string): Promise<T> {
    for (const scope of SCOPES) this.device.pushErrorScope(scope);
    // Error scopes are a stack of the whole device, so they end before other calls.
    const result = Promise.resolve(attempt(work));
    const scopes = Promise.all(SCOPES.map(() => this.device.popErrorScope()));
    result.catch(() => {}); // the error of the scope says more
    const error = (await this.orLost(scopes, where)).find((found) => found !== null);
    if (error) throw this.error(error, where);
    return this.orLost(result, where);
  }

  /** The promise's value; a lost device ends the wait. */
  orLost<T>(promise: Promise<T>, where?: string): Promise<T> {
    return new Promise((resolve, fail) => {
      const reject = (error: GroupwiseError): void => fail(error);
      const lose = (): void => reject(this.lostError(where));
      if (this.lostReason !== undefined) lose();
      this.waiting.add(lose);
      promise.then(
        (value) => {
          this.waiting.delete(lose);
          resolve(value);
        },
        (error) => {
          const end = (): void => {
            this.waiting.delete(lose);
            reject(this.error(error, where));
          };
          if (error instanceof GroupwiseError) end();
          else setTimeout(end, GRACE);
        },
      );
    });
  }

  /** Resolves when all submitted work is done. */
  workDone(where?: string): Promise<void> {
    return this.orLost(answered(this.device, this.device.queue.onSubmittedWorkDone()), where);
  }

  error(error: unknown, where: string = this.recent): GroupwiseError {
    if (error instanceof GroupwiseError) return error;
    if (this.lostReason !== undefined) return this.lostError(where);
    const reason = hasMessage(error) ? error.message : String(error);
    return errorOf("device-error", { device: this.info.name, reason: reason.trim() }, where, error);
  }

  private lostError(where: string = this.recent): GroupwiseError {
    return errorOf("device-lost", { device: this.info.name, reason: this.lostReason as string }, where);
  }
}

/** Vendor, architecture and device. Where an adapter names no device, its description, which may contain the driver. Absent where it says nothing. */
function hardwareOf(adapter: Partial<GPUAdapterInfo>): Pick<DeviceInfo, "hardware"> {
  const { vendor, architecture, device, description } = adapter;
  const hardware = [vendor, architecture, device || description].filter(Boolean).join(", ");
  return hardware ? { hardware } : {};
}

async function attempt<T>(work: () => T | Promise<T>): Promise<T> {
  return work();
}

const hasMessage = (error: unknown): error is { message: string } =>
  typeof error === "object" && error !== null && "message" in error && typeof error.message === "string";
