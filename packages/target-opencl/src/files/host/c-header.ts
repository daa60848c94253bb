/** The manifest as a C header: names, sizes and orders that a host in C needs. */

import type { Manifest } from "@groupwise/core";
import { commentText, Text } from "@groupwise/core/kernel";
import {
  countOf,
  functionsOf,
  LEAST_SUBGROUP,
  scalarOf,
  scalarsOf,
  sidesOf,
  sizesOf,
} from "@groupwise/core/target";
import { REDUX } from "../../print/lane-reductions.ts";
import { macroOf, prefixOf, quoted } from "./c-names.ts";
import { passes, runner } from "./c-runner.ts";
import { sizeFunctions } from "./c-sizes.ts";

/** The text of `<name>.h`. Deterministic; it needs no OpenCL header, and declares more where cl.h came before. */
export function printHeader(manifest: Manifest, file: string, command: string): string {
  const [prefix, macro] = [prefixOf(manifest), macroOf(manifest)];
  const text = new Text();
  const guard = `GROUPWISE_${prefix}_H`;
  text.line(`// ${manifest.pipeline}: definitions for a C host of ${file}. Made by ${manifest.generator};`);
  text.line("// do not edit; regenerate it with");
  text.line(`//   ${commentText(command)}`);
  text.line(`#ifndef ${guard}`);
  text.line(`#define ${guard}`);
  text.line();
  text.line("#include <stddef.h>");
  text.line("#include <stdint.h>");
  text.line();
  text.line(`#define ${macro}_FILE ${quoted(file)}`);
  buildOptions(text, manifest);
  text.line("// Maximum number of items of a run.");
  text.line(`#define ${macro}_MAX_ITEMS UINT64_C(${manifest.maxItems})`);
  text.line();
  for (const { name, value } of functionsOf(sizesOf(manifest)))
    text.line(`static inline int64_t ${prefix}_${name}(int64_t a, int64_t b) { return ${value}; }`);
  text.line();
  sizes(text, manifest, prefix);
  passes(text, manifest, prefix, macro);
  text.line();
  runner(text, manifest, prefix);
  text.line();
  text.line(`#endif`);
  return text.toString();
}

/** The requirements for a device, in words of OpenCL's API. */
const REQUIREMENTS: Readonly<Record<string, (manifest: Manifest) => string>> = {
  "correctly-rounded-divide": () => "CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT in its CL_DEVICE_SINGLE_FP_CONFIG",
  fp64: () => "cl_khr_fp64",
  fp16: () => "cl_khr_fp16",
  subgroups: ({ flags: { [LEAST_SUBGROUP]: least } }) =>
    `cl_khr_subgroup_shuffle or the warps of NVIDIA, subgroups of consecutive work-items${least === undefined ? "" : `, ${least} at least`}`,
};

function buildOptions(text: Text, manifest: Manifest): void {
  const { flags, requires } = manifest;
  const define = (name: string, options: unknown): void => {
    text.line(`#define ${macroOf(manifest)}_${name} ${quoted(String(options))}`);
  };
  const { buildOptions: portable, buildOptionsCL2: second, buildOptionsCL3: third } = flags;
  // Subgroups need a newer language version than other texts.
  const isNew = requires.includes("subgroups");
  define("BUILD_OPTIONS", isNew ? third : portable);
  if (isNew) {
    text.line("// On devices of OpenCL C 2.0:");
    define("BUILD_OPTIONS_CL2", second);
  } else if (third !== undefined) {
    text.line(
      "// With the language's own work-group functions, and the same results: on devices of OpenCL C 3.0 that list",
    );
    text.line("// __opencl_c_work_group_collective_functions, and on devices of OpenCL C 2.0.");
    define("BUILD_OPTIONS_CL3", third);
    define("BUILD_OPTIONS_CL2", second);
  }
  const { buildOptionsRedux } = flags;
  if (buildOptionsRedux !== undefined) {
    text.line(
      `// On NVIDIA devices whose CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV is ${REDUX.since} or higher, in less time:`,
    );
    define("BUILD_OPTIONS_REDUX", `${isNew ? third : portable} ${buildOptionsRedux}`);
  }
  for (const name of requires)
    text.line(`// A device must support: ${commentText(REQUIREMENTS[name]?.(manifest) ?? name)}`);
}

function sizes(text: Text, manifest: Manifest, prefix: string): void {
  const sizeFunction = sizeFunctions(text, manifest, prefix);
  const range = sidesOf(manifest).join(" x ");
  text.line(`// Buffers for ${range} items: elements, and bytes to allocate (OpenCL has no empty buffers).`);
  for (const binding of manifest.bindings) {
    const about = [binding.role, `${binding.type}, ${countOf(binding.elements, "element")}`];
    if (binding.type === "bool") about.push("each 32 bits, 0 or 1");
    if (binding.cleared) about.push("all zero before every run");
    if (binding.lengthFrom) about.push(`the number of valid elements is in ${binding.lengthFrom}`);
    text.line(`// ${binding.name}: ${about.join("; ")}`);
    sizeFunction(`elements_${binding.name}`, binding.elements);
    sizeFunction(`bytes_${binding.name}`, binding.bytes);
  }
  text.line();
  scratchSizes(text, manifest, prefix);
}

/** In words of C, since the alignment is the host's choice. */
function scratchSizes(text: Text, manifest: Manifest, prefix: string): void {
  const scratch = manifest.bindings.filter((binding) => binding.role === "scratch");
  const macro = macroOf(manifest);
  text.line(
    "// Scratch as one allocation: its bytes, and the offset of each array. Kernels take the arrays as sub-buffers, so the",
  );
  text.line(
    "// alignment must be a multiple of the device's CL_DEVICE_MEM_BASE_ADDR_ALIGN, which is in bits.",
  );
  text.line(`#ifndef ${macro}_SCRATCH_ALIGNMENT`);
  text.line(`#define ${macro}_SCRATCH_ALIGNMENT 4096`);
  text.line("#endif");
  const sides = [...sidesOf(manifest), ...scalarsOf(manifest).map(scalarOf)];
  const [given, range] = [sides.map((side) => `size_t ${side}`).join(", "), sides.join(", ")];
  const sum = (name: string, terms: readonly string[]): void => {
    const ignored = terms.length > 0 ? "" : sides.map((side) => `(void)${side}; `).join("");
    const value = terms.length > 0 ? terms.join(" + ") : "0";
    text.line(`static inline size_t ${prefix}_${name}(${given}) { ${ignored}return ${value}; }`);
  };
  if (scratch.length > 0) {
    const alignment = `${macro}_SCRATCH_ALIGNMENT`;
    const value = `(bytes + ${alignment} - 1) / ${alignment} * ${alignment}`;
    text.line(`static inline size_t ${prefix}_aligned(size_t bytes) { return ${value}; }`);
  }
  const aligned = scratch.map(({ name }) => `${prefix}_aligned(${prefix}_bytes_${name}(${range}))`);
  scratch.forEach(({ name }, i) => {
    const before = scratch[i - 1];
    const terms = before
      ? [`${prefix}_scratch_offset_${before.name}(${range})`, aligned[i - 1] as string]
      : [];
    sum(`scratch_offset_${name}`, terms);
  });
  sum("scratch_bytes", aligned);
}
