/** A host in C99 for OpenCL 1.2: a function that runs the passes, and a program that shows it on sample data. */
import type { Binding, Manifest } from "@groupwise/core";
import { commentText, type LaunchParam, Text } from "@groupwise/core/kernel";
import { printFormula, tablesOf } from "@groupwise/core/target";
import {
  HOST_TYPES,
  isToldLength,
  launchValue,
  macroOf,
  prefixOf,
  scalarOf,
  scalarsOf,
  sidesOf,
  sourceOf,
} from "./c-names.ts";
import { runOnSamples, sampleSizes } from "./c-samples.ts";
import { checkRange, checkRun } from "./c-sizes.ts";
import { defineSteps } from "./c-steps.ts";
import { helpersOf, PRELUDE, SHOW_MAIN } from "./c-text.ts";

/** The text of `<name>_host.c`. Deterministic. */
export function printHost(manifest: Manifest, header: string, command: string): string {
  const text = new Text();
  text.line(
    `// ${manifest.pipeline}: a host in C99 for OpenCL 1.2. Made by ${manifest.generator}; do not edit;`,
  );
  text.line("// make it again with");
  text.line(`//   ${commentText(command)}`);
  text.line(
    "// Build it, for example: cc -std=c99 THIS.c -lOpenCL. With -DGROUPWISE_NO_MAIN it is a library.",
  );
  const body = new Text();
  printRun(body, manifest);
  defineSteps(body, manifest);
  const functions = body.toString();
  for (const line of [...PRELUDE, ...helpersOf(functions)]) text.line(line);
  text.line(`#include "${header}"`);
  text.line();
  for (const line of functions.trimEnd().split("\n")) text.line(line);
  text.line();
  text.line("#ifndef GROUPWISE_NO_MAIN");
  for (const line of SHOW_MAIN(macroOf(manifest))) text.line(line);
  text.line();
  printMain(text, manifest);
  text.line("#endif");
  return text.toString();
}

const isShown = (binding: Binding): boolean => binding.role === "output" && !binding.hidden;
/** Outputs that only tell the length of another. */
const hidden = (manifest: Manifest): Binding[] =>
  manifest.bindings.filter((binding) => binding.role === "output" && binding.hidden);

function printRun(text: Text, manifest: Manifest): void {
  const [prefix, macro] = [prefixOf(manifest), macroOf(manifest)];
  const { bindings, params } = manifest;
  const scatters = bindings.filter((binding) => binding.role === "output" && binding.cleared);
  text.line(`cl_int ${prefix}_run(`);
  text.line("  cl_context context, cl_command_queue queue, cl_program program,");
  const sides = sidesOf(manifest);
  const scalars = scalarsOf(manifest).map(scalarOf);
  const range = [...sides, ...scalars].join(", ");
  text.line(`  ${sides.map((side) => `size_t ${side}, `).join("")}struct ${prefix}_values* values) {`);
  text.indent(() => {
    if (manifest.passes.length === 0) text.line("(void)program; // nothing is written");
    text.line("cl_int status = CL_SUCCESS;");
    text.line("cl_kernel kernel = NULL;");
    for (const { name } of bindings) text.line(`cl_mem buffer_${name} = NULL;`);
    const isCounted = bindings.some(({ role }) => role === "input") || isToldLength(manifest);
    if (sides.length > 1 && isCounted) text.line(`const size_t n = ${sides.join(" * ")};`);
    for (const { name } of tablesOf(manifest))
      text.line(`const size_t length_${name} = values->length_${name};`);
    const isTold = ({ name, role }: LaunchParam): boolean =>
      role === "offset" ||
      scalars.includes(`param_${name}`) ||
      manifest.passes.some((pass) => pass.params.includes(name));
    for (const param of params.filter(isTold)) {
      const { name, type, role, dimension = 0, table = "" } = param;
      const given = `values->param_${sourceOf(param).name}`;
      const value = {
        length: "(cl_uint)n",
        size: `(cl_uint)${sides[dimension]}`,
        offset: given,
        "table-length": `(cl_uint)length_${table}`,
        zero: "0",
        user: launchValue(param, given),
      }[role];
      text.line(`const ${HOST_TYPES[type].c} param_${name} = ${value};`);
    }
    for (const { name, type } of hidden(manifest)) text.line(`${HOST_TYPES[type].c} out_${name} = 0;`);
    const words = bindings.find((binding) => binding.role === "status");
    if (words) text.line(`cl_uint status_words[${printFormula(words.elements)}] = {0};`);
    text.line();
    if (words) text.line("values->outside = 0;");
    checkRun(text, manifest);
    for (const { name } of bindings)
      text.line(`TRY(make_buffer(context, ${prefix}_bytes_${name}(${range}), &buffer_${name}));`);
    for (const { name, role, cleared } of bindings) {
      if (role === "table") {
        const bytes = `length_${name} * sizeof *values->in_${name}`;
        text.line(
          `if (length_${name} > 0) TRY(clEnqueueWriteBuffer(queue, buffer_${name}, CL_TRUE, 0, ${bytes}, values->in_${name}, 0, NULL, NULL));`,
        );
      }
      if (role === "input") {
        const bytes = `${prefix}_elements_${name}(${range}) * sizeof *values->in_${name}`;
        text.line(
          `if (n > 0) TRY(clEnqueueWriteBuffer(queue, buffer_${name}, CL_TRUE, 0, ${bytes}, values->in_${name}, 0, NULL, NULL));`,
        );
      }
      if (cleared) text.line(`TRY(clear_buffer(queue, buffer_${name}, ${prefix}_bytes_${name}(${range})));`);
    }
    for (const pass of manifest.passes) printPass(text, pass, prefix, macro, range);
    text.line();
    for (const binding of bindings.filter(({ role }) => role === "output"))
      readBack(text, binding, prefix, range);
    if (words) {
      text.line(`TRY(read_buffer(queue, buffer_${words.name}, sizeof status_words, status_words));`);
      scatters.forEach(({ name }, i) => {
        text.block(`if ((status_words[${Math.floor(i / 32)}] >> ${i % 32}) & 1u) {`, () => {
          text.line(`fputs("${name}: an item was written outside the array\\n", stderr);`);
          text.line("values->outside = 1;");
          text.line("status = CL_INVALID_VALUE;");
        });
      });
    }
    for (const { name, lengthFrom } of bindings) {
      if (!lengthFrom) continue;
      const source = bindings.find((binding) => binding.name === lengthFrom);
      const given = source?.hidden ? `out_${lengthFrom}` : `values->out_${lengthFrom}[0]`;
      text.line(`values->length_${name} = at_most((size_t)${given}, ${prefix}_elements_${name}(${range}));`);
    }
  });
  text.line("done:");
  text.indent(() => {
    text.line("if (kernel) clReleaseKernel(kernel);");
    for (const { name } of bindings) text.line(`status = release_buffer(buffer_${name}, status);`);
    text.line("return status;");
  });
  text.line("}");
}

function printPass(
  text: Text,
  pass: Manifest["passes"][number],
  prefix: string,
  macro: string,
  range: string,
): void {
  const name = pass.entryPoint;
  text.line();
  text.block(`if (${prefix}_groups_${name}(${range}) > 0) {`, () => {
    text.line(`const size_t local = ${prefix}_work_group_size_${name};`);
    text.line(`const size_t global = ${prefix}_groups_${name}(${range}) * local;`);
    text.line(`TRY(make_kernel(program, ${macro}_KERNEL_${name}, &kernel));`);
    const args = [
      ...pass.params.map((p) => `param_${p}`),
      ...pass.bindings.map((use) => `buffer_${use.name}`),
    ];
    const ids = [...pass.params, ...pass.bindings.map((use) => use.name)];
    args.forEach((arg, i) => {
      text.line(`TRY(clSetKernelArg(kernel, ${prefix}_arg_${name}_${ids[i]}, sizeof ${arg}, &${arg}));`);
    });
    text.line("TRY(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));");
    text.line("TRY(clReleaseKernel(kernel)); // the driver frees it when the pass is done");
    text.line("kernel = NULL;");
  });
}

function readBack(text: Text, binding: Binding, prefix: string, range: string): void {
  const { name } = binding;
  const target = binding.hidden ? `&out_${name}` : `values->out_${name}`;
  const element = binding.hidden ? `sizeof out_${name}` : `sizeof *values->out_${name}`;
  text.line(
    `TRY(read_buffer(queue, buffer_${name}, ${prefix}_elements_${name}(${range}) * ${element}, ${target}));`,
  );
}

/** The example's range where the command line tells none. */
const SAMPLE_SIDES = [40, 25, 3] as const;

function printMain(text: Text, manifest: Manifest): void {
  const [prefix, macro] = [prefixOf(manifest), macroOf(manifest)];
  const inputs = manifest.bindings.filter(({ role }) => role === "input" || role === "table");
  const outputs = manifest.bindings.filter(isShown);
  const sides = sidesOf(manifest);
  const scalars = scalarsOf(manifest).map((one) => `values.${scalarOf(one)}`);
  const range = [...sides, ...scalars].join(", ");
  const isLine = sides.length === 1;
  const file = sides.length + 1;
  const usage = `[${isLine ? "items" : sides.join(" ")} [file of the kernels]]`;
  text.line(`// Usage: ${usage}`);
  text.line("int main(int argc, char** argv) {");
  text.indent(() => {
    sides.forEach((side, d) => {
      text.line(`size_t ${side} = ${isLine ? 1000 : SAMPLE_SIDES[d]};`);
    });
    text.line(`const char* path = argc > ${file} ? argv[${file}] : ${macro}_FILE;`);
    text.line("cl_device_id device = NULL;");
    text.line("cl_context context = NULL;");
    text.line("cl_command_queue queue = NULL;");
    text.line("cl_program program = NULL;");
    text.line("cl_int status = CL_SUCCESS;");
    text.line("char* source = NULL;");
    for (const { name, type } of inputs) text.line(`${HOST_TYPES[type].c}* in_${name} = NULL;`);
    text.line(`struct ${prefix}_values values;`);
    text.line();
    const readings = sides.map((side, d) => `!read_size(argv[${d + 1}], &${side})`);
    const isBad = [...(isLine ? [] : [`argc < ${file}`]), ...readings].join(" || ");
    text.block(`if (argc > ${file + 1} || (argc > 1 && (${isBad}))) {`, () => {
      text.line(`fprintf(stderr, "usage: %s ${usage}\\n", argv[0]);`);
      text.line("return EXIT_FAILURE;");
    });
    checkRange(text, manifest, "return EXIT_FAILURE;");
    text.line("memset(&values, 0, sizeof values);");
    sampleSizes(text, manifest);
    for (const { name } of tablesOf(manifest)) text.line(`values.length_${name} = ${sides.join(" * ")};`);
    for (const { name } of inputs) {
      text.line(`in_${name} = malloc(${prefix}_bytes_${name}(${range}));`);
      text.line(`TRY(in_${name} ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);`);
      text.line(`values.in_${name} = in_${name};`);
    }
    for (const { name } of outputs) {
      text.line(`values.out_${name} = malloc(${prefix}_bytes_${name}(${range}));`);
      text.line(`TRY(values.out_${name} ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);`);
    }
    text.line();
    text.line("source = read_file(path);");
    text.line("status = source ? CL_SUCCESS : CL_INVALID_VALUE;");
    text.line("if (!source) goto done; // already reported");
    text.line("TRY(find_device(&device));");
    text.line("context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);");
    text.line("TRY(status);");
    text.line("queue = clCreateCommandQueue(context, device, 0, &status);");
    text.line("TRY(status);");
    text.line(`TRY(build_program(context, device, source, ${macro}_BUILD_OPTIONS, &program));`);
    text.line();
    runOnSamples(text, manifest);
    text.line();
    for (const { name, type, lengthFrom } of outputs) {
      const count = lengthFrom ? `values.length_${name}` : `${prefix}_elements_${name}(${range})`;
      text.line(`printf("${name}: %zu elements:", ${count});`);
      const value = HOST_TYPES[type].shown(`values.out_${name}[i]`);
      text.line(
        `for (size_t i = 0; i < ${count} && i < SHOWN; i++) printf(" ${HOST_TYPES[type].format}", ${value});`,
      );
      text.line(`puts(${count} > SHOWN ? " ..." : "");`);
    }
  });
  text.line("done:");
  text.indent(() => {
    text.line("if (program) clReleaseProgram(program);");
    text.line("if (queue) clReleaseCommandQueue(queue);");
    text.line("if (context) clReleaseContext(context);");
    text.line("free(source);");
    for (const { name } of inputs) text.line(`free(in_${name});`);
    for (const { name } of outputs) text.line(`free(values.out_${name});`);
    text.line("return status == CL_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;");
  });
  text.line("}");
}
