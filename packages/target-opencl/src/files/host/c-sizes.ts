/** The checks of an emitted host before it accesses a buffer: invalid ranges, tables and outputs. */
import type { Formula, Manifest } from "@groupwise/core";
import type { Text } from "@groupwise/core/kernel";
import {
  formulaInC,
  refusalsOf,
  scalarOf,
  scalarsOf,
  sidesOf,
  tooManyItems,
  variablesOf,
} from "@groupwise/core/target";
import { macroOf, prefixOf } from "./c-names.ts";
import type { HostText } from "./c-text.ts";

/** Refuses a range of too many items, by the statement `end`; its sides are variables. */
export function checkRange(text: Text, manifest: Manifest, end: string): void {
  const sides = sidesOf(manifest);
  text.block(`if (${tooManyItems(manifest, `${macroOf(manifest)}_MAX_ITEMS`)}) {`, () => {
    text.line(
      `fprintf(stderr, "${sides.map(() => "%zu").join(" x ")} items are too many\\n", ${sides.join(", ")});`,
    );
    text.line(end);
  });
}

/** Statements that return; the sides and scalars of the run are variables by the names that formulas have for them. */
export function checkRun(text: HostText, manifest: Manifest): void {
  checkRange(text, manifest, "return CL_INVALID_VALUE;");
  const refusals = refusalsOf(manifest, {
    prefix: prefixOf(manifest),
    most: `${macroOf(manifest)}_MAX_ITEMS`,
    isSize: (size, most) => text.call("is_size", size, most),
    wide: (value) => `(cl_long)${value}`,
  });
  for (const { condition, message } of refusals)
    text.block(`if (${condition}) {`, () => {
      text.line(`fputs("${message}\\n", stderr);`);
      text.line("return CL_INVALID_VALUE;");
    });
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
