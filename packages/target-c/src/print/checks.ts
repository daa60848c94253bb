/** The checks that the function of a pipeline makes before it writes anything. */
import type { Binding, Manifest } from "@groupwise/core";
import { bare, marked, type Text } from "@groupwise/core/kernel";
import { mostElements, partsOfFormula, tablesOf } from "@groupwise/core/target";
import { lengthOf, sidesOf } from "./arguments.ts";
import { formulaInC } from "./formula.ts";
import { DIVISOR_STATUS } from "./names.ts";

/** Outputs whose capacity depends on the run. */
export const checkedIn = ({ bindings }: Manifest): readonly Binding[] =>
  bindings.filter(({ scatter, elements }) => scatter && elements !== "n" && typeof elements !== "number");

/** Statements that return a status. */
export function printChecks(text: Text, manifest: Manifest): void {
  const refuse = (tests: readonly string[], status: string): void => {
    if (tests.length > 0) text.line(`if (${tests.map(bare).join(" || ")}) return ${status};`);
  };
  const { bindings, params, maxItems } = manifest;
  const sides = sidesOf(manifest).map(marked);
  const most = `${maxItems}u`;
  // Side by side: the product of three can wrap.
  const products = sides
    .map((_, d) => sides.slice(0, d + 1))
    .filter((some) => some.length > 1)
    .map((some) => `(uint64_t)${some.join(" * ")}`);
  refuse(
    [...sides, ...products].map((count) => `(${count} > ${most})`),
    "GW_TOO_MANY_ITEMS",
  );
  refuse(
    tablesOf(manifest).map(({ name }) => `(${marked(lengthOf(manifest, name))} > ${most})`),
    "GW_TABLE_TOO_LONG",
  );
  if (bindings.some(({ needsItems }) => needsItems))
    refuse(
      sides.map((side) => `(${side} == 0)`),
      "GW_NO_ITEM",
    );
  const n = sides.length > 1 ? `((uint64_t)${sides.join(" * ")})` : sides[0];
  for (const { name } of params.filter(({ divides }) => divides))
    refuse([`(${marked(name)} == 0)`, `(${n} % ${marked(name)} != 0)`], DIVISOR_STATUS[0]);
  refuse(
    params
      .filter(({ role }) => role === "offset")
      .map(
        ({ name, dimension = 0 }) =>
          `((uint64_t)${marked(name)} + ${sides[dimension]} > UINT64_C(${2 ** 32}))`,
      ),
    "GW_BAD_OFFSET",
  );
  for (const { elements } of checkedIn(manifest)) {
    // Kernels compute in 32 bits: the parts of a part come first, as they are computed.
    const parts = [...partsOfFormula(elements)].filter((part) => typeof part === "object" && "op" in part);
    const tests = parts.reverse().map((part) => `!is_size(${bare(formulaInC(part, manifest))}, UINT32_MAX)`);
    refuse(
      [...tests, `!is_size(${bare(formulaInC(elements, manifest))}, ${mostElements(manifest, elements)})`],
      "GW_BAD_CAPACITY",
    );
  }
}
