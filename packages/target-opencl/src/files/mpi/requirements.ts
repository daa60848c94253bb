/** The requirements of kernels for a device, as conditions of C. */
import type { Manifest } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { EXTENSIONS } from "../../print/spelling.ts";

/** A condition on the device `id`, and the name of the missing feature. */
export interface Requirement {
  readonly test: string;
  readonly what: string;
}

const KNOWN: Readonly<Record<string, Requirement>> = {
  "correctly-rounded-divide": { test: "divides_right(id)", what: "correctly rounded division" },
  ...Object.fromEntries(
    EXTENSIONS.map(({ feature, name }) => [feature, { test: `has_extension(id, "${name}")`, what: name }]),
  ),
};

/**
 * The requirements of a manifest.
 * @throws GroupwiseError `unsupported` for one that emitted functions do not test
 */
export const requirementsOf = ({
  requires,
  pipeline,
}: Pick<Manifest, "requires" | "pipeline">): readonly Requirement[] =>
  requires.map((name) => {
    const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
    if (known) return known;
    const reason = "the emitted functions do not test it on a device, as runtimes do";
    throw errorOf("unsupported", { what: `the requirement ${JSON.stringify(name)}`, reason }, pipeline);
  });
