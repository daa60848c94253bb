/**
 * What an emitted host has for programs that keep their arrays on the device: kernels that are made once, buffers of
 * the caller, and runs of any size that are put on a queue.
 */
import { type Binding, type Manifest, printFormula, tablesOf } from "@groupwise/core";
import type { LaunchParam, Text } from "@groupwise/core/kernel";
import {
  HOST_TYPES,
  hostParams,
  isToldLength,
  launchValue,
  macroOf,
  prefixOf,
  scalarOf,
  scalarsOf,
  sidesOf,
  sourceOf,
} from "./c-names.ts";
import { checkRun } from "./c-sizes.ts";

const offsetsOf = (manifest: Manifest): LaunchParam[] =>
  manifest.params.filter(({ role }) => role === "offset");
const scratchOf = ({ bindings }: Manifest): Binding[] => bindings.filter(({ role }) => role === "scratch");
/** Arrays that a caller gives one by one. */
const givenOf = ({ bindings }: Manifest): Binding[] => bindings.filter(({ role }) => role !== "scratch");

/** A pipeline that writes nothing has no kernel. */
const hasPasses = ({ passes }: Manifest): boolean => passes.length > 0;

/** What functions of sizes take, all of it variables. */
const rangeOf = (manifest: Manifest): string =>
  [...sidesOf(manifest), ...scalarsOf(manifest).map(scalarOf)].join(", ");
const rangeParams = (manifest: Manifest): string =>
  sidesOf(manifest)
    .map((side) => `size_t ${side}`)
    .join(", ");

/** Structs and declarations for the header, where cl.h came before. */
export function declareSteps(text: Text, manifest: Manifest): void {
  const [prefix, macro] = [prefixOf(manifest), macroOf(manifest)];
  text.line();
  text.line(
    "// For arrays that stay on the device: make the kernels once, then put any number of runs on a queue,",
  );
  text.line("// of any size. Kernels carry their arguments: one thread at a time may use a set of them.");
  // C has no array of no elements.
  const count = hasPasses(manifest) ? `${macro}_PASSES` : "1";
  text.line(`struct ${prefix}_kernels { cl_kernel passes[${count}]; };`);
  text.block(
    `struct ${prefix}_buffers {`,
    () => {
      for (const { name, type } of hostParams(manifest)) text.line(`${HOST_TYPES[type].c} param_${name};`);
      for (const { name, type } of offsetsOf(manifest))
        text.line(`${HOST_TYPES[type].c} param_${name}; // what global ids count from`);
      for (const { name } of tablesOf(manifest)) text.line(`size_t length_${name}; // elements of the table`);
      for (const binding of givenOf(manifest))
        text.line(`cl_mem buffer_${binding.name}; // ${about(binding)}`);
      const size = `${prefix}_scratch_bytes`;
      text.line(
        scratchOf(manifest).length > 0
          ? `cl_mem scratch; // at least ${size} bytes; runs that follow one another can share it`
          : `cl_mem scratch; // not used: ${size} is 0`,
      );
    },
    "};",
  );
  text.line(`cl_int ${prefix}_make_kernels(cl_program program, struct ${prefix}_kernels* kernels);`);
  text.line(`void ${prefix}_release_kernels(struct ${prefix}_kernels* kernels);`);
  text.line(
    "// Puts all passes on the queue, which runs them in order, and waits for nothing. Buffers may be larger than",
  );
  text.line("// the range needs. CL_SUCCESS, or the status of what failed, told on stderr.");
  text.line(`cl_int ${prefix}_enqueue(`);
  text.line(`  cl_command_queue queue, const struct ${prefix}_kernels* kernels,`);
  text.line(`  ${rangeParams(manifest)}, const struct ${prefix}_buffers* buffers);`);
}

function about({ role, elements, type, cleared, hidden, lengthFrom }: Binding): string {
  const notes = [role, `${printFormula(elements)} elements of ${type}`];
  if (hidden) notes[0] = "output that tells a length";
  if (role === "status") notes.push("a bit for each scatter that wrote outside of its array");
  if (cleared) notes.push("every run clears it");
  if (lengthFrom) notes.push(`valid are as many as ${lengthFrom} tells`);
  return notes.join(", ");
}

/** The functions. */
export function defineSteps(text: Text, manifest: Manifest): void {
  const [prefix, macro] = [prefixOf(manifest), macroOf(manifest)];
  text.line();
  text.block(`void ${prefix}_release_kernels(struct ${prefix}_kernels* kernels) {`, () => {
    text.block(`for (int i = 0; i < ${macro}_PASSES; i++) {`, () => {
      text.line("if (kernels->passes[i]) clReleaseKernel(kernels->passes[i]);");
      text.line("kernels->passes[i] = NULL;");
    });
  });
  text.line();
  text.line(`cl_int ${prefix}_make_kernels(cl_program program, struct ${prefix}_kernels* kernels) {`);
  if (!hasPasses(manifest)) {
    text.indent(() => {
      text.line("(void)program;");
      text.line("memset(kernels, 0, sizeof *kernels);");
      text.line("return CL_SUCCESS;");
    });
    text.line("}");
    text.line();
    defineEnqueue(text, manifest);
    return;
  }
  text.indent(() => {
    text.line("cl_int status = CL_SUCCESS;");
    text.line("memset(kernels, 0, sizeof *kernels);");
    manifest.passes.forEach(({ entryPoint }, i) => {
      text.line(`TRY(make_kernel(program, ${macro}_KERNEL_${entryPoint}, &kernels->passes[${i}]));`);
    });
    text.line("return CL_SUCCESS;");
  });
  text.line("done:");
  text.indent(() => {
    text.line(`${prefix}_release_kernels(kernels);`);
    text.line("return status;");
  });
  text.line("}");
  text.line();
  defineEnqueue(text, manifest);
}

function defineEnqueue(text: Text, manifest: Manifest): void {
  const [prefix, range, sides] = [prefixOf(manifest), rangeOf(manifest), sidesOf(manifest)];
  const scratch = scratchOf(manifest);
  text.line(`cl_int ${prefix}_enqueue(`);
  text.line(`  cl_command_queue queue, const struct ${prefix}_kernels* kernels,`);
  text.line(`  ${rangeParams(manifest)}, const struct ${prefix}_buffers* buffers) {`);
  text.indent(() => {
    if (!hasPasses(manifest)) text.line("(void)kernels;");
    text.line("cl_int status = CL_SUCCESS;");
    for (const { name } of scratch) text.line(`cl_mem buffer_${name} = NULL;`);
    if (sides.length > 1 && isToldLength(manifest)) text.line(`const size_t n = ${sides.join(" * ")};`);
    for (const { name } of tablesOf(manifest))
      text.line(`const size_t length_${name} = buffers->length_${name};`);
    const sizing = scalarsOf(manifest).map(scalarOf);
    for (const param of manifest.params) {
      const isUsed =
        param.role === "offset" || manifest.passes.some((pass) => pass.params.includes(param.name));
      if (!isUsed && !sizing.includes(`param_${param.name}`)) continue;
      text.line(`const ${HOST_TYPES[param.type].c} param_${param.name} = ${launchScalar(manifest, param)};`);
    }
    checkRun(text, manifest);
    for (const { name } of scratch) {
      const place = `${prefix}_scratch_offset_${name}(${range}), ${prefix}_bytes_${name}(${range})`;
      text.line(`TRY(part_of(buffers->scratch, ${place}, &buffer_${name}));`);
    }
    for (const { name, cleared, role } of manifest.bindings) {
      if (!cleared) continue;
      const buffer = role === "scratch" ? `buffer_${name}` : `buffers->buffer_${name}`;
      text.line(`TRY(clear_buffer(queue, ${buffer}, ${prefix}_bytes_${name}(${range})));`);
    }
    manifest.passes.forEach((pass, i) => {
      enqueuePass(text, manifest, pass, i);
    });
  });
  text.line("done:");
  text.indent(() => {
    for (const { name } of scratch) text.line(`status = release_buffer(buffer_${name}, status);`);
    text.line("return status;");
  });
  text.line("}");
}

function enqueuePass(text: Text, manifest: Manifest, pass: Manifest["passes"][number], i: number): void {
  const [prefix, range] = [prefixOf(manifest), rangeOf(manifest)];
  const name = pass.entryPoint;
  const isScratch = (array: string): boolean => scratchOf(manifest).some((binding) => binding.name === array);
  text.block(`if (${prefix}_groups_${name}(${range}) > 0) {`, () => {
    text.line(`const cl_kernel kernel = kernels->passes[${i}];`);
    text.line(`const size_t local = ${prefix}_work_group_size_${name};`);
    text.line(`const size_t global = ${prefix}_groups_${name}(${range}) * local;`);
    const args = [
      ...pass.params.map((p) => [p, `param_${p}`] as const),
      ...pass.bindings.map(
        (use) => [use.name, `${isScratch(use.name) ? "" : "buffers->"}buffer_${use.name}`] as const,
      ),
    ];
    for (const [id, arg] of args)
      text.line(`TRY(clSetKernelArg(kernel, ${prefix}_arg_${name}_${id}, sizeof ${arg}, &${arg}));`);
    text.line("TRY(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));");
  });
}

function launchScalar(manifest: Manifest, param: LaunchParam): string {
  const given = `buffers->param_${sourceOf(param).name}`;
  const values: Readonly<Record<LaunchParam["role"], string>> = {
    length: "(cl_uint)n",
    size: `(cl_uint)${sidesOf(manifest)[param.dimension ?? 0]}`,
    offset: given,
    "table-length": `(cl_uint)length_${param.table}`,
    zero: "0",
    user: launchValue(param, given),
  };
  return values[param.role];
}
