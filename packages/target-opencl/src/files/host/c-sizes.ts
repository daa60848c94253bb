/** The checks of an emitted host before it accesses a buffer: invalid ranges, tables and outputs. */
import type { Formula, Manifest } from "@groupwise/core";
import type { Text } from "@groupwise/core/kernel";
import { mostElements, partsOfFormula, tablesOf } from "@groupwise/core/target";
import { formulaInC, scalarOf, scalarsOf, variablesOf } from "./c-formula.ts";
import { macroOf, prefixOf, sidesOf } from "./c-names.ts";
import type { HostText } from "./c-text.ts";

/** Refuses a range of too many items, by the statement `end`; its sides are variables. */
export function checkRange(text: Text, manifest: Manifest, end: string): void {
  const sides = sidesOf(manifest);
  // Side by side: the product of three can wrap.
  const products = sides.map((_, d) => sides.slice(0, d + 1).join(" * "));
  const counts = sides.length > 1 ? [...sides, ...products.slice(1)] : ["n"];
  text.block(`if (${counts.map((x) => `${x} > ${macroOf(manifest)}_MAX_ITEMS`).join(" || ")}) {`, () => {
    text.line(
      `fprintf(stderr, "${sides.map(() => "%zu").join(" x ")} items are too many\\n", ${sides.join(", ")});`,
    );
    text.line(end);
  });
}

/** Statements that return; the sides and scalars of the run are variables by the names that formulas have for them. */
export function checkRun(text: HostText, manifest: Manifest): void {
  const sides = sidesOf(manifest);
  const refuse = (condition: string, message: string): void =>
    text.block(`if (${condition}) {`, () => {
      text.line(`fputs("${message}\\n", stderr);`);
      text.line("return CL_INVALID_VALUE;");
    });
  checkRange(text, manifest, "return CL_INVALID_VALUE;");
  checkSizes(text, manifest, refuse);
  for (const { name, role, dimension = 0 } of manifest.params) {
    if (role !== "offset") continue;
    const end = `(uint64_t)param_${name} + ${sides[dimension]}`;
    refuse(`${end} > UINT64_C(${2 ** 32})`, "the offset exceeds 2^32");
  }
  for (const { name } of manifest.params.filter(({ divides }) => divides))
    refuse(
      `param_${name} == 0 || ${sides.length > 1 ? `(${sides.join(" * ")})` : "n"} % param_${name} != 0`,
      `${name} must divide the number of items`,
    );
  if (manifest.bindings.some(({ needsItems }) => needsItems))
    refuse(sides.map((side) => `${side} == 0`).join(" || "), "a broadcast needs an item");
}

function checkSizes(
  text: HostText,
  manifest: Manifest,
  refuse: (condition: string, message: string) => void,
): void {
  const isNoSize = (f: Formula, most: string): string =>
    `!${text.call("is_size", formulaInC(f, prefixOf(manifest), sidesOf(manifest)), most)}`;
  const most = `${macroOf(manifest)}_MAX_ITEMS`;
  for (const { name } of tablesOf(manifest))
    refuse(`length_${name} > ${most}`, `the table ${name} is too long`);
  for (const { name, scatter, elements } of manifest.bindings) {
    if (!scatter || elements === "n") continue;
    // Kernels compute in 32 bits: the parts of a part come first, as they would be computed.
    const parts = [...partsOfFormula(elements)].filter((part) => typeof part === "object" && "op" in part);
    const tests = parts.reverse().map((part) => isNoSize(part, "UINT32_MAX"));
    const test = isNoSize(elements, `(cl_long)${mostElements(manifest, elements)}`);
    refuse([...tests, test].join(" || "), `${name} cannot have that capacity`);
  }
}

type SizeFunction = (name: string, size: Formula) => void;

/** Writes functions of the range. */
export function sizeFunctions(text: Text, manifest: Manifest, prefix: string): SizeFunction {
  const sides = sidesOf(manifest);
  const given = [...sides, ...scalarsOf(manifest).map(scalarOf)];
  const params = given.map((one) => `size_t ${one}`).join(", ");
  return (name, size) => {
    const value = formulaInC(size, prefix, sides);
    const read = variablesOf(size, sides);
    const ignored = given.filter((one) => !read.has(one)).map((one) => `(void)${one}; `);
    text.line(
      `static inline size_t ${prefix}_${name}(${params}) { ${ignored.join("")}return (size_t)${value}; }`,
    );
  };
}
