/** A program in C that runs a pipeline on sample data. */
import type { Binding, Manifest } from "@groupwise/core";
import { marked, memoryOf, spellNames, Text, unmarked } from "@groupwise/core/kernel";
import { userParams } from "@groupwise/core/target";
import { entryArguments, isGiven, lengthOf, printList, sidesOf } from "../../print/arguments.ts";
import { definitionsOf, functionsOf, type SizeFunction, sizeInC } from "../../print/formula.ts";
import { printFirst } from "../../print/header.ts";
import { symbolOf } from "../../print/names.ts";
import { isReserved } from "../../print/spelling/keywords.ts";
import { elementType, hostType } from "../../print/spelling/types.ts";
import { SAMPLES } from "./samples.ts";

/** The text of `gw_<name>_main.c`. */
export function printMain(manifest: Manifest, command: string): string {
  const body = new Text();
  printShow(body, manifest);
  body.line();
  printProgram(body, manifest);
  const head = new Text();
  printFirst(head, manifest, command);
  const file = manifest.flags.header;
  head.line("// A demonstration on sample data. Build it with the library, for example:");
  const { parallelHeader } = manifest.flags;
  const openMp = parallelHeader === undefined ? "" : " -fopenmp";
  head.line(`//   cc -std=c11 -O2 -ffp-contract=off${openMp} ${String(file).replace(/\.h$/, "")}*.c`);
  for (const name of [`"${parallelHeader ?? file}"`, "<inttypes.h>", "<stdio.h>", "<stdlib.h>"])
    head.line(`#include ${name}`);
  for (const text of definitionsOf(calledIn(manifest)))
    for (const line of ["", ...text.split("\n")]) head.line(line);
  for (const line of READ_SIZE) head.line(line);
  return head.toString() + spellNames(body.toString(), isReserved);
}

/** The functions that allocate and fill arrays. */
function calledIn(manifest: Manifest): readonly SizeFunction[] {
  const arrays = manifest.bindings.filter(isGiven);
  return arrays.length > 0 ? ["zeros", ...functionsOf(arrays.map(({ elements }) => elements))] : [];
}

const READ_SIZE = `
enum { SHOWN = 8 }; // values of each output that are printed

// Reads a whole number; returns false if the text is not one, or if it is too large for a size.
static bool read_size(const char *text, size_t *size) {
  size_t value = 0;
  if (*text == '\\0') return false;
  for (; *text != '\\0'; text++) {
    const int digit = *text - '0';
    if (digit < 0 || digit > 9 || value > (SIZE_MAX - (size_t)digit) / 10) return false;
    value = 10 * value + (size_t)digit;
  }
  *size = value;
  return true;
}
`
  .trimEnd()
  .split("\n")
  .concat("");

const isRead = ({ role }: Binding): boolean => role === "input" || role === "table";

/** The function that fills arrays, runs the pipeline and prints its outputs. */
function printShow(text: Text, manifest: Manifest): void {
  const arrays = manifest.bindings.filter(isGiven);
  const sides = sidesOf(manifest).map((side) => `size_t ${marked(side)}`);
  const names = arrays.map(({ name }) => marked(name));
  const count = (binding: Binding): string => sizeInC(binding.elements, manifest);
  text.line("// Runs the pipeline on whole numbers below a limit, and returns its status.");
  text.block(`static int show(${[...sides, "size_t spread"].join(", ")}) {`, () => {
    text.line("int status = GW_NO_MEMORY;");
    for (const { name, type, value } of scalars(manifest))
      text.line(`const ${type} ${marked(name)} = ${value};`);
    for (const binding of arrays) {
      const name = marked(binding.name);
      text.line(`${elementType(memoryOf(binding))} *${name} = zeros(${count(binding)}, sizeof *${name});`);
    }
    const { parallel } = manifest.flags;
    // The number of threads is OpenMP's.
    const given = [
      ...entryArguments(manifest).map(({ name }) => name),
      ...(parallel === undefined ? [] : ["0"]),
    ];
    text.block(`if (${["spread > 0", ...names].join(" && ")}) {`, () => {
      for (const binding of arrays.filter((one) => isRead(one) || one.inPlace !== undefined)) {
        const value = SAMPLES[binding.type].value("(i * 37 % spread)");
        text.line(`for (size_t i = 0; i < ${count(binding)}; i++) ${marked(binding.name)}[i] = ${value};`);
      }
      printList(text, `status = ${parallel ?? symbolOf(manifest)}`, given, ";");
    });
    text.block("if (status == GW_OK) {", () => {
      for (const binding of arrays.filter(({ role, hidden }) => role === "output" && !hidden))
        printOutput(text, binding, manifest);
    });
    for (const name of names) text.line(`free(${name});`);
    text.line("return status;");
  });
}

function printOutput(text: Text, binding: Binding, manifest: Manifest): void {
  const { name, type, lengthFrom } = binding;
  const { format, shown } = SAMPLES[type];
  const all = sizeInC(binding.elements, manifest);
  text.block("{", () => {
    text.line(`const size_t count = ${lengthFrom === undefined ? all : `${marked(lengthFrom)}[0]`};`);
    text.line(`printf("${unmarked(name)}: %zu elements:", count);`);
    const element = `${marked(name)}[i]`;
    const value = `printf(" ${format}", ${shown(element)});`.replace(' ""', "");
    text.line(`for (size_t i = 0; i < count && i < SHOWN; i++) ${value}`);
    text.line('puts(count > SHOWN ? " ..." : "");');
  });
}

/** The arguments that the program passes besides arrays and the range. */
function scalars(manifest: Manifest): readonly { name: string; type: string; value: string }[] {
  const count = sidesOf(manifest).map(marked).join(" * ");
  const divisors = new Set(manifest.params.filter(({ divides }) => divides).map(({ name }) => name));
  return [
    ...manifest.params
      .filter(({ role }) => role === "offset")
      .map(({ name }) => ({ name, type: "uint32_t", value: "0" })),
    ...userParams(manifest).map(({ name, type }) => ({
      name,
      type: hostType(type),
      value: divisors.has(name) ? `(${count}) % 10 == 0 ? 10 : 1` : SAMPLES[type].value("(60 % spread)"),
    })),
    ...manifest.bindings
      .filter(({ role }) => role === "table")
      .map(({ name }) => ({ name: lengthOf(manifest, name), type: "size_t", value: count })),
  ];
}

/** The program's range if the command line gives none. */
const SIDES: readonly (readonly number[])[] = [[1000], [40, 25], [10, 10, 10]];

function printProgram(text: Text, manifest: Manifest): void {
  const sides = sidesOf(manifest);
  const usage = sides.length === 1 ? "[items]" : `[${sides.join(" ")}]`;
  text.line(`// Usage: ${usage}`);
  text.block("int main(int argc, char **argv) {", () => {
    sides.forEach((side, d) => {
      text.line(`size_t ${marked(side)} = ${SIDES[sides.length - 1]?.[d]};`);
    });
    const readings = sides.map((side, d) => `!read_size(argv[${d + 1}], &${marked(side)})`);
    text.block(`if (argc > 1 && (argc != ${sides.length + 1} || ${readings.join(" || ")})) {`, () => {
      text.line(`fputs("usage: ${usage}\\n", stderr);`);
      text.line("return EXIT_FAILURE;");
    });
    text.line("// If a number leads to an index outside of an array, smaller numbers are tried.");
    text.line("int status = GW_OUTSIDE;");
    const call = `show(${[...sides.map(marked), "spread"].join(", ")})`;
    text.line(
      `for (size_t spread = 101; spread > 0 && status == GW_OUTSIDE; spread /= 10) status = ${call};`,
    );
    text.line('if (status != GW_OK) fprintf(stderr, "status %d\\n", status);');
    text.line("return status == GW_OK ? EXIT_SUCCESS : EXIT_FAILURE;");
  });
}
