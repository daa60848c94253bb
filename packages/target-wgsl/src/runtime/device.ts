/** A caller's device: its name, and its failures as typed errors. */
import { type DeviceInfo, errorOf, GroupwiseError } from "@groupwise/core";
import { type Limits, limitsOf } from "./limits.ts";

const SCOPES: readonly GPUErrorFilter[] = ["validation", "out-of-memory", "internal"];
/** Milliseconds in which a loss may follow the failures that it causes. */
const GRACE = 20;

export class Gpu {
  readonly device: GPUDevice;
  readonly info: DeviceInfo;
  /** What the device allows, or less: runs look here only. */
  readonly limits: Limits;
  private readonly waiting = new Set<(error: GroupwiseError) => void>();
  private lostReason: string | undefined;

  constructor(device: GPUDevice, name?: string, limits?: Partial<Limits>) {
    this.device = device;
    this.limits = limitsOf(device, limits);
    const adapter: Partial<GPUAdapterInfo> = device.adapterInfo ?? {};
    const named = [adapter.description, adapter.device, adapter.vendor].find((text) => text);
    this.info = {
      target: "wgsl",
      name: name ?? named ?? "WebGPU device",
      driver: adapter.vendor || "WebGPU",
    };
    void device.lost.then(({ reason, message }) => {
      this.lostReason = message || reason || "no reason given";
      for (const reject of this.waiting) reject(this.lostError());
    });
  }

  /** @throws GroupwiseError `device-lost` */
  assertThere(): void {
    if (this.lostReason !== undefined) throw this.lostError();
  }

  /**
   * Does work on the device. All its calls are made before `work` returns; what it returns may come later.
   * @throws GroupwiseError `device-error` for what an error scope or the API reports, `device-lost`
   */
  async guarded<T>(work: () => T | Promise<T>): Promise<T> {
    for (const scope of SCOPES) this.device.pushErrorScope(scope);
    // Scopes are a stack of the whole device: they end before anyone else has a turn.
    const result = Promise.resolve(attempt(work));
    const scopes = Promise.all(SCOPES.map(() => this.device.popErrorScope()));
    result.catch(() => {}); // what a scope has caught tells more
    const error = (await this.orLost(scopes)).find((found) => found !== null);
    if (error) throw this.error(error);
    return this.orLost(result);
  }

  /** The promise's value; a lost device ends the wait. */
  orLost<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.lostReason !== undefined) reject(this.lostError());
      this.waiting.add(reject);
      promise.then(
        (value) => {
          this.waiting.delete(reject);
          resolve(value);
        },
        (error) => {
          const fail = (): void => {
            this.waiting.delete(reject);
            reject(this.error(error));
          };
          if (error instanceof GroupwiseError) fail();
          else setTimeout(fail, GRACE);
        },
      );
    });
  }

  error(error: unknown): GroupwiseError {
    if (error instanceof GroupwiseError) return error;
    if (this.lostReason !== undefined) return this.lostError();
    const reason = hasMessage(error) ? error.message : String(error);
    return errorOf("device-error", { device: this.info.name, reason: reason.trim() }, "", error);
  }

  private lostError(): GroupwiseError {
    return errorOf("device-lost", { device: this.info.name, reason: this.lostReason as string });
  }
}

async function attempt<T>(work: () => T | Promise<T>): Promise<T> {
  return work();
}

const hasMessage = (error: unknown): error is { message: string } =>
  typeof error === "object" && error !== null && "message" in error && typeof error.message === "string";
