/** The declarations that run passes. */
import type { Manifest } from "@groupwise/core";
import type { Text } from "@groupwise/core/kernel";
import { countOf, sidesOf } from "@groupwise/core/target";
import { HOST_TYPES, hasScatters, hostParams, quoted } from "./c-names.ts";
import { sizeFunctions } from "./c-sizes.ts";
import { declareSteps } from "./c-steps.ts";

export function passes(text: Text, manifest: Manifest, prefix: string, macro: string): void {
  const sizeFunction = sizeFunctions(text, manifest, prefix);
  text.line();
  text.line("// Passes, one after the other; a pass without work-groups is skipped. The global size is");
  text.line("// groups times work-group size; arguments are set in the order of the enumerators.");
  text.line(`#define ${macro}_PASSES ${manifest.passes.length}`);
  for (const pass of manifest.passes) {
    const name = pass.entryPoint;
    text.line();
    text.line(`// ${name}: ${countOf(pass.groups, "work-group")} of ${pass.workGroupSize}`);
    text.line(`#define ${macro}_KERNEL_${name} ${quoted(name)}`);
    sizeFunction(`groups_${name}`, pass.groups);
    text.block(
      "enum {",
      () => {
        text.line(`${prefix}_work_group_size_${name} = ${pass.workGroupSize},`);
        text.line(`${prefix}_work_group_bytes_${name} = ${pass.workGroupBytes}`);
      },
      "};",
    );
    text.block(
      "enum {",
      () => {
        for (const param of pass.params) text.line(`${prefix}_arg_${name}_${param},`);
        for (const use of pass.bindings) text.line(`${prefix}_arg_${name}_${use.name}, // ${use.access}`);
        text.line(`${prefix}_args_${name}`);
      },
      "};",
    );
  }
}

/** The struct of values, and if cl.h comes before, the functions. */
export function runner(text: Text, manifest: Manifest, prefix: string): void {
  text.line("// The arguments of a run.");
  text.block(
    `struct ${prefix}_values {`,
    () => {
      for (const { name, type } of hostParams(manifest)) text.line(`${HOST_TYPES[type].c} param_${name};`);
      for (const { name, type, role } of manifest.params) {
        if (role === "offset") text.line(`${HOST_TYPES[type].c} param_${name}; // the first global id`);
      }
      for (const binding of manifest.bindings) {
        const { name, type, role, elements, hidden, lengthFrom } = binding;
        if (role === "table") {
          text.line(`const ${HOST_TYPES[type].c}* in_${name}; // a table`);
          text.line(`size_t length_${name}; // its elements`);
        }
        const room = countOf(elements, "element");
        if (role === "input") text.line(`const ${HOST_TYPES[type].c}* in_${name}; // ${room}`);
        if (role !== "output" || hidden) continue;
        text.line(`${HOST_TYPES[type].c}* out_${name}; // room for ${room}`);
        if (lengthFrom) text.line(`size_t length_${name}; // result: the number of valid elements`);
      }
      if (hasScatters(manifest))
        text.line("int outside; // result: 1 if an item was written outside its array, which is an error");
    },
    "};",
  );
  text.line();
  text.line(`#ifdef CL_SUCCESS // if cl.h is included before: ${manifest.pipeline}_host.c defines them`);
  text.line("#ifdef __cplusplus");
  text.line('extern "C" {');
  text.line("#endif");
  text.line(
    `// Runs all passes over ${sidesOf(manifest).join(" x ")} items and waits. Returns CL_SUCCESS, or the status of a failed call, which is also printed on stderr.`,
  );
  text.line(`cl_int ${prefix}_run(`);
  text.line("  cl_context context, cl_command_queue queue, cl_program program,");
  text.line(
    `  ${sidesOf(manifest)
      .map((side) => `size_t ${side}, `)
      .join("")}struct ${prefix}_values* values);`,
  );
  declareSteps(text, manifest);
  text.line("#ifdef __cplusplus");
  text.line("}");
  text.line("#endif");
  text.line("#endif");
}
