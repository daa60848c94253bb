/** The conditions, as expressions of C, under which a host refuses a run before it accesses an array. */
import { type Formula, partsOfFormula } from "@groupwise/ir/base/formula.js";
import { mostElements, tablesOf } from "../checks/host.ts";
import { formulaInC, sidesOf } from "./c-formula.ts";
import type { Manifest } from "./manifest.ts";

/** A condition, and what it means. */
export interface Refusal {
  readonly condition: string;
  readonly message: string;
}

/** How a host spells what conditions need. */
export interface RefusalSpelling {
  /** The prefix of functions of sizes. */
  readonly prefix: string;
  /** The maximum number of items. */
  readonly most: string;
  /** Whether a size is from 0 to a limit. */
  isSize(size: string, most: string): string;
  /** A signed constant of 64 bits. */
  wide(value: number): string;
}

/** The condition for a range of too many items. Side by side: the product of three can wrap. */
export function tooManyItems(manifest: Manifest, most: string): string {
  const sides = sidesOf(manifest);
  const products = sides.map((_, d) => sides.slice(0, d + 1).join(" * "));
  const counts = sides.length > 1 ? [...sides, ...products.slice(1)] : ["n"];
  return counts.map((count) => `${count} > ${most}`).join(" || ");
}

/** The other conditions. The sides and scalars of the run are variables by the names that formulas have for them. */
export function refusalsOf(manifest: Manifest, spelling: RefusalSpelling): readonly Refusal[] {
  const sides = sidesOf(manifest);
  const found: Refusal[] = [...ofSizes(manifest, spelling)];
  for (const { name, role, dimension = 0 } of manifest.params) {
    if (role !== "offset") continue;
    const end = `(uint64_t)param_${name} + ${sides[dimension]}`;
    found.push({ condition: `${end} > UINT64_C(${2 ** 32})`, message: "the offset exceeds 2^32" });
  }
  for (const { name } of manifest.params.filter(({ divides }) => divides))
    found.push({
      condition: `param_${name} == 0 || ${sides.length > 1 ? `(${sides.join(" * ")})` : "n"} % param_${name} != 0`,
      message: `${name} must divide the number of items`,
    });
  if (manifest.bindings.some(({ needsItems }) => needsItems))
    found.push({
      condition: sides.map((side) => `${side} == 0`).join(" || "),
      message: "a broadcast needs an item",
    });
  return found;
}

function* ofSizes(manifest: Manifest, { prefix, most, isSize, wide }: RefusalSpelling): Generator<Refusal> {
  const isNoSize = (f: Formula, limit: string): string =>
    `!${isSize(formulaInC(f, prefix, sidesOf(manifest)), limit)}`;
  for (const { name } of tablesOf(manifest))
    yield { condition: `length_${name} > ${most}`, message: `the table ${name} is too long` };
  for (const { name, scatter, elements } of manifest.bindings) {
    if (!scatter || elements === "n") continue;
    // Kernels compute in 32 bits: the parts of a part come first, as they would be computed.
    const parts = [...partsOfFormula(elements)].filter((part) => typeof part === "object" && "op" in part);
    const tests = parts.reverse().map((part) => isNoSize(part, "UINT32_MAX"));
    const test = isNoSize(elements, wide(mostElements(manifest, elements)));
    yield { condition: [...tests, test].join(" || "), message: `${name} cannot have that capacity` };
  }
}
