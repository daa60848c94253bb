/** What an emitted host refuses before it touches a buffer: tables and outputs that are too long. */
import { type Manifest, partsOfFormula, tablesOf } from "@groupwise/core";
import type { Text } from "@groupwise/core/kernel";
import { formulaInC, macroOf, prefixOf, sidesOf } from "./c-names.ts";

/** Statements that return; the scalars of the run are variables by the names that formulas have for them. */
export function checkSizes(text: Text, manifest: Manifest): void {
  const [prefix, sides] = [prefixOf(manifest), sidesOf(manifest)];
  const most = `${macroOf(manifest)}_MAX_ITEMS`;
  const refuse = (condition: string, message: string): void =>
    text.block(`if (${condition}) {`, () => {
      text.line(`fputs("${message}\\n", stderr);`);
      text.line("return CL_INVALID_VALUE;");
    });
  for (const { name } of tablesOf(manifest))
    refuse(`length_${name} > ${most}`, `the table ${name} is too long`);
  for (const { name, role, cleared, elements } of manifest.bindings) {
    if (role !== "output" || !cleared || elements === "n") continue;
    // Kernels compute in 32 bits: the parts of a part come first, as they would be computed.
    const parts = [...partsOfFormula(elements)].filter((part) => typeof part === "object" && "op" in part);
    const tests = parts.reverse().map((part) => `!is_size(${formulaInC(part, prefix, sides)}, UINT32_MAX)`);
    const fits = `!is_size(${formulaInC(elements, prefix, sides)}, (cl_long)${most})`;
    refuse([...tests, fits].join(" || "), `${name} cannot have that capacity`);
  }
}
