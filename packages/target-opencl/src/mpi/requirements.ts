/** What a device must have for the kernels, as conditions of C. */
import type { Manifest } from "@groupwise/core";
import { EXTENSIONS } from "../print/spelling.ts";

/** A condition on `device.id`, and what a device without it lacks. */
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
