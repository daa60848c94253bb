/** The options of devices in Node. */
import { errorOf, kindOf, optionsOf } from "@groupwise/core/target";

/** Which device `nodeDevice` opens. */
export interface NodeDeviceOptions {
  /** A part of the adapter's name, as `groupwise doctor` prints it: `"NVIDIA"`, `"llvmpipe"`. Default: the adapter that Dawn prefers. */
  readonly adapter?: string;
  /** Features that the device has if the adapter has them. Default: those that pipelines use. */
  readonly features?: readonly GPUFeatureName[];
  /** The limits of the adapter (`most`, the default), or those of every WebGPU device (`default`). */
  readonly limits?: "most" | "default";
  /** Toggles of Dawn, for example `disable_robustness`. Dawn ignores unknown names. */
  readonly enable?: readonly string[];
  /** For example `timestamp_quantization`: with it, Dawn's clock ticks every 0.1 ms. */
  readonly disable?: readonly string[];
}

/** The location of errors. */
export const WHERE = "nodeDevice";

interface Wanted {
  readonly want: string;
  readonly is: (value: unknown) => boolean;
}

const isName = (value: unknown): boolean => typeof value === "string" && value !== "";
const names = (of: string): Wanted => ({
  want: `an array of names of ${of}`,
  is: (value) => Array.isArray(value) && value.every(isName),
});

const WANTED: Readonly<Record<keyof NodeDeviceOptions, Wanted>> = {
  adapter: { want: "a part of an adapter's name", is: isName },
  features: names("features"),
  limits: { want: '"most" or "default"', is: (value) => value === "most" || value === "default" },
  enable: names("toggles"),
  disable: names("toggles"),
};

/** Options of a caller. @throws GroupwiseError `bad-argument` */
export function nodeDeviceOptions(value: unknown): NodeDeviceOptions {
  const known = Object.keys(WANTED) as (keyof NodeDeviceOptions)[];
  const given = optionsOf(value, known, "the options of nodeDevice", WHERE);
  for (const name of known) {
    const { want, is } = WANTED[name];
    if (name in given && !is(given[name]))
      throw errorOf("bad-argument", { what: `the option ${name}`, want, got: kindOf(given[name]) }, WHERE);
  }
  return given as NodeDeviceOptions;
}

/** The flags of Dawn. */
export function flagsOf({ adapter, enable = [], disable = [] }: NodeDeviceOptions): readonly string[] {
  const flag = (name: string, values: readonly string[]): readonly string[] =>
    values.length > 0 ? [`${name}=${values.join()}`] : [];
  return [
    ...flag("adapter", adapter === undefined ? [] : [adapter]),
    ...flag("enable-dawn-features", enable),
    ...flag("disable-dawn-features", disable),
  ];
}
