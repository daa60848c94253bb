/** The hardware of a device: what its adapter says, or what a run of its own functions shows. */
import type { DeviceInfo, Tuning } from "@groupwise/core";
import { requireTunedFor } from "@groupwise/core/target";
import type { Gpu } from "../device/device.ts";
import { earnedOn } from "./earned.ts";

/** The device of a runtime, which a tuning may be for. */
export class Hardware {
  private readonly gpu: Gpu;
  private readonly tuning: Tuning | undefined;
  private seen: string | undefined;
  private asked: Promise<void> | undefined;

  /** @throws GroupwiseError `foreign-tuning` */
  constructor(gpu: Gpu, tuning: Tuning | undefined) {
    this.gpu = gpu;
    this.tuning = tuning;
    if (tuning && this.isNamed) requireTunedFor(tuning, gpu.info);
  }

  private get isNamed(): boolean {
    return this.gpu.info.hardware !== undefined;
  }

  get info(): DeviceInfo {
    const { info } = this.gpu;
    const { inexact } = earnedOn(this.gpu);
    return {
      ...info,
      ...(this.seen !== undefined && { hardware: this.seen }),
      ...(inexact.length > 0 && { inexact }),
    };
  }

  /**
   * Finds out what an adapter without a name is, once. Browsers that hide it give every GPU the same limits and features.
   * @throws GroupwiseError `foreign-tuning`, `device-error`, `device-lost`
   */
  async identify(): Promise<void> {
    if (this.isNamed) return;
    this.asked ??= earnedOn(this.gpu)
      .digest()
      .then((digest) => {
        this.seen = `unnamed, ${digest}`;
      });
    await this.asked;
    if (this.tuning) requireTunedFor(this.tuning, this.info);
  }
}
