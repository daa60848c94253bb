/** A C file with the loops of a pipeline, its header, and its manifest. */
import { type Artifact, type EmitOptions, type Manifest, type Plan, printManifest } from "@groupwise/core";
import {
  CFamily,
  CONSTANTS_HERE,
  type Fn,
  helpersFor,
  type Module,
  manifestOf,
  spellNames,
  Text,
  typesIn,
  wordsIn,
} from "@groupwise/core/kernel";
import { GENERATOR, isFloat, OWN_ARRAYS } from "@groupwise/core/target";
import { entryArguments, kernelArguments, printHead } from "./arguments.ts";
import { callOf } from "./calls.ts";
import { calledIn, printEntry } from "./entry.ts";
import { definitionsOf } from "./formula.ts";
import { printFirst, printHeader } from "./header.ts";
import { fileOf, kernelOf, symbolOf } from "./names.ts";
import { DIALECT, memberOf, resultsOf } from "./spelling/dialect.ts";
import { copiesMemory, HELPERS } from "./spelling/helpers.ts";
import { isReserved } from "./spelling/keywords.ts";
import { withRunning } from "./spelling/running.ts";
import { valueType } from "./spelling/types.ts";

const TARGET = "c";

export function emitC(plan: Plan, options: EmitOptions): Artifact {
  const name = plan.checked.pipeline.name;
  const file = fileOf(name);
  const named = { pipeline: name };
  const manifest = withCalls(
    manifestOf(plan, {
      generator: GENERATOR,
      command: options.command ?? `groupwise emit ${name}.json --target ${TARGET}`,
      target: TARGET,
      file: `${file}.c`,
      requires: [],
      flags: {
        header: `${file}.h`,
        function: symbolOf(named),
        kernel: kernelOf(named),
        buildOptions: "-std=c11 -ffp-contract=off",
      },
      arrays: OWN_ARRAYS,
    }),
  );
  const code = new Text();
  const module = withRunning(plan.module);
  printCode(code, module, manifest);
  const header = new Text();
  printHeader(header, manifest);
  const words = wordsIn(code.toString());
  const spelled = (text: Text): string =>
    spellNames(text.toString(), isReserved, words, (name, value) => `#define ${name} ${value}`);
  const head = printTop(manifest, module, words);
  return {
    manifest,
    files: [
      { path: `${file}.c`, text: head + spelled(code) },
      { path: `${file}.h`, text: spelled(header) },
      { path: `${file}.c.json`, text: printManifest(manifest) },
    ],
  };
}

/** The function that checks its arguments, and the one with only the loops. */
const withCalls = (manifest: Manifest): Manifest => ({
  ...manifest,
  calls: [
    callOf(manifest, symbolOf(manifest), entryArguments(manifest), "function"),
    callOf(manifest, kernelOf(manifest), kernelArguments(manifest), "host"),
  ],
});

/** The functions of the module, the kernel, and the function that checks its arguments. */
function printCode(text: Text, module: Module, manifest: Manifest): void {
  const printer = new CFamily(DIALECT);
  text.line(CONSTANTS_HERE);
  for (const fn of module.functions) {
    text.line();
    printer.fn(text, fn, functionHead(fn, printer));
  }
  text.line();
  printHead(text, `void ${kernelOf(manifest)}`, kernelArguments(manifest), " {");
  const body = module.kernels.flatMap((kernel) => kernel.body);
  text.indentedTail(() => printer.block(text, body));
  text.line();
  printEntry(text, manifest);
}

function functionHead(fn: Fn, printer: CFamily): string {
  const params = fn.params.map((p) => `${valueType(p.type)} ${printer.name(p.name)}`);
  const returns = fn.width === 1 ? valueType(fn.returns) : resultsOf(fn.returns, fn.width);
  return `static inline ${returns} ${fn.name}(${params.join(", ")}) {`;
}

/** The text before the code: includes, assertions about the machine, and the functions and structs that the code uses. */
function printTop(manifest: Manifest, module: Module, words: ReadonlySet<string>): string {
  const text = new Text();
  const types = typesIn(module);
  const hasFloats = [...types].some(isFloat);
  const calls = calledIn(manifest);
  const helpers = [...definitionsOf(calls), ...helpersFor(HELPERS, words)];
  printFirst(text, manifest);
  text.line("// C11. Build options: -ffp-contract=off and any optimisation, but never -ffast-math.");
  text.line(`#include "${manifest.flags.header}"`);
  text.line();
  if (hasFloats) text.line("#include <float.h>");
  text.line("#include <limits.h>");
  if (["INFINITY", "NAN", "fabs", "fabsf"].some((word) => words.has(word))) text.line("#include <math.h>");
  if (calls.includes("zeros")) text.line("#include <stdlib.h>");
  if (calls.includes("clear") || copiesMemory(helpers)) text.line("#include <string.h>");
  text.line();
  for (const line of [...MACHINE, ...(hasFloats ? FLOATS : [])]) text.line(line);
  for (const [type, width] of structsOf(module)) {
    const parts = Array.from({ length: width }, (_, i) => memberOf(i));
    text.line();
    text.block(
      `${resultsOf(type, width)} {`,
      () => text.line(`${valueType(type)} ${parts.join(", ")};`),
      "};",
    );
  }
  for (const helper of helpers) {
    text.line();
    for (const line of helper.split("\n")) text.line(line);
  }
  return text.toString();
}

/** The structs of functions with several results. */
function structsOf({ functions }: Module): readonly (readonly [Fn["returns"], number])[] {
  const several = functions.filter(({ width }) => width > 1);
  return [
    ...new Map(
      several.map((fn) => [resultsOf(fn.returns, fn.width), [fn.returns, fn.width] as const]),
    ).values(),
  ];
}

const MACHINE: readonly string[] = [
  '_Static_assert(INT_MAX == INT32_MAX, "int must have 32 bits");',
  '_Static_assert((int32_t)UINT32_MAX == -1 && -1 >> 1 == -1, "integers must be in two\'s complement");',
];

const FLOATS: readonly string[] = [
  '_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53, "floats must be IEEE 754");',
  '_Static_assert(FLT_EVAL_METHOD == 0, "floats must be computed in their own type");',
  "#ifdef __FAST_MATH__",
  '#error "-ffast-math changes results"',
  "#endif",
  "",
  "// A product and a sum must not become one operation: the results would differ between machines.",
  "// Without rounding-math, gcc makes -x of -x + 0 where x is a magnitude or a count: -0 for 0.",
  "#if defined(__GNUC__) && !defined(__clang__)",
  '#pragma GCC optimize("fp-contract=off", "rounding-math")',
  "#else",
  "#pragma STDC FP_CONTRACT OFF",
  "#endif",
];
