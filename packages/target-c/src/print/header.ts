/** The header of a pipeline: its two functions, and their statuses. */
import type { Manifest } from "@groupwise/core";
import { commentText, headOf, type Text } from "@groupwise/core/kernel";
import { type Argument, declared, entryArguments, kernelArguments } from "./arguments.ts";
import { DEVICE_STATUSES, DIVISOR_STATUS, kernelOf, STATUSES, symbolOf } from "./names.ts";

/** The first lines of an emitted file. */
export function printFirst(text: Text, manifest: Manifest, command: string = manifest.command): void {
  for (const line of headOf(manifest, command)) text.line(`// ${commentText(line)}`);
}

/** The text of the header. */
export function printHeader(text: Text, manifest: Manifest): void {
  printFirst(text, manifest);
  guarded(text, `${symbolOf(manifest)}_H`, () => {
    for (const name of ["stdbool", "stddef", "stdint"]) text.line(`#include <${name}.h>`);
    printDeclarations(text, manifest);
  });
}

/** A header with an include guard. */
export function guarded(text: Text, guard: string, fill: () => void): void {
  for (const line of [`#ifndef ${guard}`, `#define ${guard}`, ""]) text.line(line);
  fill();
  for (const line of ["", "#endif"]) text.line(line);
}

/** The lines around declarations for C and C++. */
export function forBoth(text: Text, fill: () => void): void {
  for (const line of ["", "#ifdef __cplusplus", 'extern "C" {', "#endif", ""]) text.line(line);
  fill();
  for (const line of ["", "#ifdef __cplusplus", "}", "#endif"]) text.line(line);
}

function printDeclarations(text: Text, manifest: Manifest): void {
  for (const line of SHARED) text.line(line);
  if (manifest.params.some(({ divides }) => divides)) for (const line of DIVISOR) text.line(line);
  forBoth(text, () => {
    text.line(
      `// Runs the pipeline over ${rangeOf(manifest)}. Arrays that are written must not overlap other arrays.`,
    );
    text.line(
      "// Returns GW_OK, or another status if an argument is invalid, memory is lacking, or a scatter",
    );
    text.line("// used an index outside its output. The lengths of arrays are not checked.");
    declare(text, `int ${symbolOf(manifest)}`, entryArguments(manifest));
    text.line();
    text.line("// The loops only: the caller provides every array, and none is checked.");
    declare(text, `void ${kernelOf(manifest)}`, kernelArguments(manifest));
  });
}

const rangeOf = ({ workGroupSize, maxItems }: Manifest): string =>
  `${["n", "size_x x size_y", "size_x x size_y x size_z"][workGroupSize.length - 1]} items, at most ${maxItems}`;

/** The lines that the headers of all pipelines share. */
const SHARED: readonly string[] = [
  "",
  "#ifndef GW_STATUS",
  "#define GW_STATUS",
  "enum gw_status {",
  ...STATUSES.map(([name, about], i) => `  ${name} = ${i}, // ${about}`),
  "};",
  "#endif",
  "",
  "#ifndef GW_RESTRICT",
  "#ifdef __cplusplus",
  "#define GW_RESTRICT // C++ lacks restrict",
  "#else",
  "#define GW_RESTRICT restrict",
  "#endif",
  "#endif",
];

/** Those of pipelines whose parameters divide the number of items. */
export const DIVISOR: readonly string[] = [
  "",
  "#ifndef GW_DIVISOR_STATUS",
  "#define GW_DIVISOR_STATUS",
  `enum gw_divisor_status { ${DIVISOR_STATUS[0]} = ${STATUSES.length + DEVICE_STATUSES.length} }; // ${DIVISOR_STATUS[1]}`,
  "#endif",
];

/** A declaration with a comment for each argument. */
export function declare(text: Text, head: string, args: readonly Argument[]): void {
  text.line(`${head}(${args.length === 0 ? "void);" : ""}`);
  text.indent(() => {
    args.forEach((one, i) => {
      text.line(`${declared(one, "GW_RESTRICT")}${i < args.length - 1 ? "," : ");"} // ${one.about}`);
    });
  });
}
