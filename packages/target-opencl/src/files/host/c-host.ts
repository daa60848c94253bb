/** A host in C99 for OpenCL 1.2: a function that runs the passes, and a program that demonstrates it on sample data. */
import type { Binding, Manifest } from "@groupwise/core";
import { commentText, Text } from "@groupwise/core/kernel";
import { printFormula, sidesOf, tablesOf } from "@groupwise/core/target";
import { defineEnqueue } from "./c-enqueue.ts";
import { defineMain } from "./c-main.ts";
import { HOST_TYPES, macroOf, prefixOf, takesLength } from "./c-names.ts";
import { checkRun } from "./c-sizes.ts";
import { defineScalars, defineSteps, rangeOf } from "./c-steps.ts";
import { HostText, PRELUDE, SHOW_MAIN } from "./c-text.ts";

// The function that runs all passes on arrays of the host, and waits.
const isOutput = ({ role }: Binding): boolean => role === "output";
/** The words that say which scatters wrote outside their arrays. */
const statusOf = ({ bindings }: Manifest): Binding | undefined =>
  bindings.find(({ role }) => role === "status");

function defineRun(text: HostText, manifest: Manifest): void {
  const { bindings, passes } = manifest;
  const prefix = prefixOf(manifest);
  const sides = sidesOf(manifest).map((side) => `size_t ${side}, `);
  text.line(`cl_int ${prefix}_run(`);
  text.line("  cl_context context, cl_command_queue queue, cl_program program,");
  text.line(`  ${sides.join("")}struct ${prefix}_values* values) {`);
  text.indent(() => {
    declareLocals(text, manifest);
    text.line();
    if (statusOf(manifest)) text.line("values->outside = 0;");
    checkRun(text, manifest);
    fillBuffers(text, manifest);
    for (const pass of passes) runPass(text, manifest, pass);
    text.line();
    readResults(text, manifest);
  });
  text.line("done:");
  text.indent(() => {
    text.line("if (kernel) clReleaseKernel(kernel);");
    for (const { name } of bindings)
      text.line(`status = ${text.call("release_buffer", `buffer_${name}`, "status")};`);
    text.line("return status;");
  });
  text.line("}");
}

function declareLocals(text: HostText, manifest: Manifest): void {
  const { bindings, passes } = manifest;
  const sides = sidesOf(manifest);
  if (passes.length === 0) text.line("(void)program; // nothing is written");
  text.line("cl_int status = CL_SUCCESS;");
  text.line("cl_kernel kernel = NULL;");
  for (const { name } of bindings) text.line(`cl_mem buffer_${name} = NULL;`);
  const isCounted = bindings.some(({ role }) => role === "input") || takesLength(manifest);
  if (sides.length > 1 && isCounted) text.line(`const size_t n = ${sides.join(" * ")};`);
  for (const { name } of tablesOf(manifest))
    text.line(`const size_t length_${name} = values->length_${name};`);
  defineScalars(text, manifest, "values");
  // Outputs that are only the length of another.
  for (const { name, type } of bindings.filter((binding) => isOutput(binding) && binding.hidden))
    text.line(`${HOST_TYPES[type].c} out_${name} = 0;`);
  const words = statusOf(manifest);
  if (words) text.line(`cl_uint status_words[${printFormula(words.elements)}] = {0};`);
}

/** Makes all buffers, and writes inputs and tables. */
function fillBuffers(text: HostText, manifest: Manifest): void {
  const { bindings } = manifest;
  const [prefix, range] = [prefixOf(manifest), rangeOf(manifest)];
  const bytesOf = (name: string): string => `${prefix}_bytes_${name}(${range})`;
  for (const { name } of bindings)
    text.line(`TRY(${text.call("make_buffer", "context", bytesOf(name), `&buffer_${name}`)});`);
  const write = (name: string, count: string, elements: string): void => {
    const bytes = `${elements} * sizeof *values->in_${name}`;
    text.line(
      `if (${count} > 0) TRY(clEnqueueWriteBuffer(queue, buffer_${name}, CL_TRUE, 0, ${bytes}, values->in_${name}, 0, NULL, NULL));`,
    );
  };
  for (const { name, role, cleared, scatter } of bindings) {
    if (role === "table") write(name, `length_${name}`, `length_${name}`);
    if (role === "input") write(name, "n", `${prefix}_elements_${name}(${range})`);
    // A new buffer holds anything, and the caller gets all of it.
    if (cleared || scatter)
      text.line(`TRY(${text.call("clear_buffer", "queue", `buffer_${name}`, bytesOf(name))});`);
  }
}

function runPass(text: HostText, manifest: Manifest, pass: Manifest["passes"][number]): void {
  const [prefix, macro, range] = [prefixOf(manifest), macroOf(manifest), rangeOf(manifest)];
  const name = pass.entryPoint;
  text.line();
  text.block(`if (${prefix}_groups_${name}(${range}) > 0) {`, () => {
    text.line(`const size_t local = ${prefix}_work_group_size_${name};`);
    text.line(`const size_t global = ${prefix}_groups_${name}(${range}) * local;`);
    text.line(`TRY(${text.call("make_kernel", "program", `${macro}_KERNEL_${name}`, "&kernel")});`);
    const args = [
      ...pass.params.map((param) => [param, `param_${param}`] as const),
      ...pass.bindings.map((use) => [use.name, `buffer_${use.name}`] as const),
    ];
    for (const [id, arg] of args)
      text.line(`TRY(clSetKernelArg(kernel, ${prefix}_arg_${name}_${id}, sizeof ${arg}, &${arg}));`);
    text.line("TRY(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));");
    text.line("TRY(clReleaseKernel(kernel)); // the driver frees it when the pass is done");
    text.line("kernel = NULL;");
  });
}

/** Reads outputs, the status of scatters, and lengths. */
function readResults(text: HostText, manifest: Manifest): void {
  const { bindings } = manifest;
  const elementsOf = (name: string): string => `${prefixOf(manifest)}_elements_${name}(${rangeOf(manifest)})`;
  const read = (name: string, bytes: string, memory: string): void =>
    text.line(`TRY(${text.call("read_buffer", "queue", `buffer_${name}`, bytes, memory)});`);
  for (const { name, hidden } of bindings.filter(isOutput)) {
    const element = hidden ? `sizeof out_${name}` : `sizeof *values->out_${name}`;
    read(name, `${elementsOf(name)} * ${element}`, hidden ? `&out_${name}` : `values->out_${name}`);
  }
  const words = statusOf(manifest);
  if (words) {
    read(words.name, "sizeof status_words", "status_words");
    reportScatters(text, manifest);
  }
  for (const { name, lengthFrom } of bindings) {
    if (!lengthFrom) continue;
    const source = bindings.find((binding) => binding.name === lengthFrom);
    const given = source?.hidden ? `out_${lengthFrom}` : `values->out_${lengthFrom}[0]`;
    const length = text.call("at_most", `(size_t)${given}`, elementsOf(name));
    text.line(`values->length_${name} = ${length};`);
  }
}

function reportScatters(text: HostText, { bindings }: Manifest): void {
  const scatters = bindings.filter(({ scatter }) => scatter);
  scatters.forEach(({ name }, i) => {
    text.block(`if ((status_words[${Math.floor(i / 32)}] >> ${i % 32}) & 1u) {`, () => {
      text.line(`fputs("${name}: an item was written outside the array\\n", stderr);`);
      text.line("values->outside = 1;");
      text.line("status = CL_INVALID_VALUE;");
    });
  });
}

/** The text of `<name>_host.c`. Deterministic. */
export function printHost(manifest: Manifest, header: string, command: string): string {
  const text = new Text();
  text.line(
    `// ${manifest.pipeline}: a host in C99 for OpenCL 1.2. Made by ${manifest.generator}; do not edit;`,
  );
  text.line("// regenerate it with");
  text.line(`//   ${commentText(command)}`);
  text.line(
    "// Build it, for example: cc -std=c99 THIS.c -lOpenCL. With -DGROUPWISE_NO_MAIN it is a library.",
  );
  const functions = new HostText();
  defineRun(functions, manifest);
  defineSteps(functions, manifest);
  defineEnqueue(functions, manifest);
  for (const line of [...PRELUDE, ...functions.helpers()]) text.line(line);
  text.line(`#include "${header}"`);
  text.line();
  for (const line of functions.toString().trimEnd().split("\n")) text.line(line);
  text.line();
  text.line("#ifndef GROUPWISE_NO_MAIN");
  for (const line of SHOW_MAIN(macroOf(manifest))) text.line(line);
  text.line();
  defineMain(text, manifest);
  text.line("#endif");
  return text.toString();
}
