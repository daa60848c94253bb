/** The options of devices in Node. */
import { oneOf, optionsOf, type Wanted } from "@groupwise/core/target";

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

const isName = (value: unknown): boolean => typeof value === "string" && value !== "";
const names = (of: string): Wanted => ({
  want: `an array of names of ${of}`,
  is: (value) => Array.isArray(value) && value.every(isName),
});

const WANTED: Readonly<Record<keyof NodeDeviceOptions, Wanted>> = {
  adapter: { want: "a part of an adapter's name", is: isName },
  features: names("features"),
  limits: oneOf("most", "default"),
  enable: names("toggles"),
  disable: names("toggles"),
};

/** Options of a caller. @throws GroupwiseError `bad-argument` */
export function nodeDeviceOptions(value: unknown): NodeDeviceOptions {
  return optionsOf(value, WANTED, "the options of nodeDevice", WHERE) as NodeDeviceOptions;
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
