/** An available device or tool, or the reason why it is missing and the command that installs it. */
export type Found<T> = { readonly found: true; readonly value: T } | Missing;

export interface Missing {
  readonly found: false;
  readonly reason: string;
  readonly remedy: string;
  /** Nobody looked: the test is one of full runs. */
  readonly isLeftOut?: true;
}

const INSTALL = "run: sudo node scripts/setup-devices.mjs (elsewhere than on Debian it names the commands)";

export const found = <T>(value: T): Found<T> => ({ found: true, value });

export const missing = (reason: string, remedy: string = INSTALL): Missing => ({
  found: false,
  reason,
  remedy,
});

/** Thrown by the `open*` functions; their `find*` siblings return a {@link Missing} instead. */
export class DeviceMissingError extends Error {
  readonly code = "device-missing";
  readonly remedy: string;

  constructor(what: Missing) {
    super(`${what.reason}; ${what.remedy}`);
    this.name = "DeviceMissingError";
    this.remedy = what.remedy;
  }
}

/** The value of a {@link Found}; throws {@link DeviceMissingError} if it is missing. */
export function orThrow<T>(result: Found<T>): T {
  if (!result.found) throw new DeviceMissingError(result);
  return result.value;
}
