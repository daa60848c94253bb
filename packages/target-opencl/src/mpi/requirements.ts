/** The requirements of kernels for a device, as conditions of C. */
import type { Manifest } from "@groupwise/core";
import { EXTENSIONS } from "../print/spelling.ts";

/** A condition on `device.id`, and the name of the missing feature. */
export interface Requirement {
  readonly test: string;
  readonly what: string;
}

const KNOWN: Readonly<Record<string, Requirement>> = {
  "correctly-rounded-divide": { test: "divides_right()", what: "correctly rounded division" },
  ...Object.fromEntries(
    EXTENSIONS.map(({ feature, name }) => [feature, { test: `has_extension("${name}")`, what: name }]),
  ),
};

/** The requirements of a manifest; subgroups are refused before. */
export const requirementsOf = ({ requires }: Manifest): readonly Requirement[] =>
  requires.map((name) => KNOWN[name] as Requirement);
