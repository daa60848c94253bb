/** One .cu file with all kernels of a pipeline, and its manifest. */
import {
  type Artifact,
  type EmitOptions,
  type Manifest,
  type Pass,
  type Plan,
  printManifest,
} from "@groupwise/core";
import {
  argumentsOfKernel,
  assumedBy,
  CFamily,
  CONSTANTS_HERE,
  commentText,
  fixed,
  headOf,
  helpersFor,
  type Kernel,
  type Module,
  manifestOf,
  outline,
  printFunctions,
  shareArrays,
  spellNames,
  Text,
  takenBy,
  wordsIn,
} from "@groupwise/core/kernel";
import { countOf, GENERATOR } from "@groupwise/core/target";
import { dialectFor, FUNCTIONS } from "./spelling/dialect.ts";
import { HELPERS } from "./spelling/helpers.ts";
import { isReserved } from "./spelling/keywords.ts";
import { sharedType, TYPES } from "./spelling/types.ts";

const TARGET = "cuda";
/** Bytes: the widest access of a kernel. */
const ALIGNMENT = 16;

/** The files of a plan. */
export function emitCuda(plan: Plan, options: EmitOptions): Artifact {
  const name = plan.checked.pipeline.name;
  const file = `${name}.cu`;
  const manifest = manifestOf(plan, {
    generator: GENERATOR,
    command: options.command ?? `groupwise emit ${name} --target ${TARGET}`,
    target: TARGET,
    file,
    requires: [],
    assumes: assumedBy(plan.module, plan.capabilities),
    flags: { buildOptions: "-std=c++17", computeCapability: "7.0", ...tilesOf(plan) },
    arrays: { alignment: ALIGNMENT, unit: 1 },
  });
  return {
    manifest,
    files: [
      { path: file, text: printProgram(plan, manifest) },
      { path: `${file}.json`, text: printManifest(manifest) },
    ],
  };
}

/** The sizes of look-back are the passes' own: each may have another. */
const tilesOf = ({ strategy, capabilities: { tile } }: Plan): Readonly<Record<string, string>> =>
  strategy === "look-back" ? {} : { tile: `${tile.workGroupSize} x ${tile.itemsPerWorkItem}` };

function printProgram(plan: Plan, manifest: Manifest): string {
  const whole = shareArrays(plan.module, "array-parameters");
  const module = outline(whole);
  const taken = takenBy(module);
  const printer = new CFamily(dialectFor(taken));
  const code = new Text();
  code.line(CONSTANTS_HERE);
  printFunctions(code, module, { whole, taken, printer }, FUNCTIONS);
  code.line();
  code.line("} // namespace");
  for (const [i, kernel] of module.kernels.entries()) {
    code.line();
    printKernel(code, kernel, {
      ...{ module, printer, whole: whole.kernels[i] as Kernel, pass: manifest.passes[i] as Pass },
    });
  }
  code.line();
  code.line("} // namespace groupwise");
  const words = wordsIn(code.toString());
  const top = new Text();
  printTop(top, manifest, helpersFor(HELPERS, words));
  const constant = (name: string, value: string): string => `constexpr u32 ${name} = ${value};`;
  const all = new Set([...words, ...Object.keys(TYPES)]);
  return top.toString() + spellNames(code.toString(), isReserved, all, constant);
}

/** What is before the functions of the module. */
function printTop(text: Text, manifest: Manifest, helpers: readonly string[]): void {
  printHeader(text, manifest);
  text.line();
  for (const line of MACHINE) text.line(line);
  // Their names hide those of headers, and kernels have no namespace of their own.
  text.line("namespace groupwise {");
  text.line("namespace {");
  text.line();
  for (const [name, type] of Object.entries(TYPES)) text.line(`using ${name} = ${type};`);
  for (const helper of helpers) {
    text.line();
    for (const line of helper.split("\n")) text.line(line);
  }
}

function printHeader(text: Text, manifest: Manifest): void {
  for (const line of headOf(manifest)) text.line(`// ${commentText(line)}`);
  text.line(
    "// CUDA C++17 for compute capability 7.0 or higher, by nvcc, NVRTC or clang; HIP by hipcc or clang.",
  );
  text.line("// Never build it with -use_fast_math, -ftz=true, -ffast-math or -ffp-contract=fast.");
  if (manifest.flags.tile !== undefined) text.line(`// Tiles: ${manifest.flags.tile} items.`);
  text.line(
    `// Arrays are aligned to ${ALIGNMENT} bytes; with -DGROUPWISE_UNALIGNED to their elements, such as views that begin anywhere.`,
  );
  text.line("// Passes, one after the other; a pass without work-groups is skipped:");
  for (const { entryPoint, groups, workGroupSize } of manifest.passes)
    text.line(
      `//   ${entryPoint}: ${countOf(groups, "work-group")} of ${countOf(workGroupSize, "work-item")}`,
    );
}

const MACHINE: readonly string[] = [
  "#if defined(__HIP__) && !defined(__HIPCC_RTC__)",
  "#include <hip/hip_runtime.h>",
  "#endif",
  "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700",
  '#error "compute capability 7.0 or higher is required"',
  "#endif",
  "#ifdef __FAST_MATH__",
  '#error "-ffast-math changes results"',
  "#endif",
  "// A program that includes the text may define how kernels are declared.",
  "#ifndef GROUPWISE_KERNEL",
  '#define GROUPWISE_KERNEL extern "C" __global__',
  "#endif",
  "",
];

/** What the text of a kernel needs beside it. */
interface Surroundings {
  readonly module: Module;
  readonly printer: CFamily;
  readonly pass: Pass;
  /** The kernel with the statements of routines in place. */
  readonly whole: Kernel;
}

function printKernel(text: Text, kernel: Kernel, { module, printer, pass, whole }: Surroundings): void {
  const printing = { printer, spelling: FUNCTIONS, unaliased: "__restrict__ " };
  const rows = argumentsOfKernel(module, whole, pass, printing);
  for (const line of kernel.doc) text.line(`// ${commentText(line)}`);
  text.line(`GROUPWISE_KERNEL void __launch_bounds__(${kernel.workGroupSize}) ${fixed(kernel.name)}(`);
  text.indent(() => {
    rows.forEach(({ declared, about }, i) => {
      text.line(`${declared}${i < rows.length - 1 ? "," : ")"} // ${about}`);
    });
  });
  text.block("{", () => {
    for (const { name, type, length } of kernel.shared)
      text.line(`__shared__ ${sharedType(type)} ${printer.name(name)}[${length}];`);
    printer.block(text, kernel.body);
  });
}
