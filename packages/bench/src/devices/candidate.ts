import type { TargetName } from "@groupwise/cli/targets";
import type { Runtime } from "@groupwise/core";
import type { OpenOptions } from "@groupwise/core/target";

/** A device that can be opened in this process. */
export interface Candidate {
  readonly name: string;
  readonly target: TargetName;
  /** Slow: small sizes only. */
  readonly slow: boolean;
  /** Compiling takes seconds: outside of full runs, one operator represents others of the same shape. */
  readonly thrifty?: boolean;
  /** @throws GroupwiseError `device-missing`, `foreign-tuning` */
  open(options?: Pick<OpenOptions, "tuning">): Promise<Runtime>;
}

/** A device that cannot be opened, and the reason. */
export interface Absent {
  readonly name: string;
  readonly reason: string;
}

/** The devices of a target. */
export interface FoundDevices {
  readonly found: readonly Candidate[];
  readonly absent: readonly Absent[];
}
