/** A program that runs the host's function on sample data. */
import type { Binding, Manifest } from "@groupwise/core";
import type { Text } from "@groupwise/core/kernel";
import { scalarOf, scalarsOf, sidesOf, tablesOf } from "@groupwise/core/target";
import { REDUX } from "../../print/lane-reductions.ts";
import { HOST_TYPES, type HostParam, hasScatters, hostParams, macroOf, prefixOf } from "./c-names.ts";
import { checkRange } from "./c-sizes.ts";

// The sample data of an emitted host.
/** A sample value of a parameter. */
function sampleOf(manifest: Manifest, { name, type }: HostParam, k: string, middle: string): string {
  const divides = manifest.params.some((param) => param.name === name && param.divides);
  if (divides) return `(${sidesOf(manifest).join(" * ")}) % 10 == 0 ? 10 : 1`;
  return HOST_TYPES[type].sample(k, middle);
}

const tellsSize = (manifest: Manifest, param: string): boolean =>
  scalarsOf(manifest).some((one) => scalarOf(one) === `param_${param}`);

/** Parameters on which sizes depend: arrays get their memory by them, once. */
function sampleSizes(text: Text, manifest: Manifest): void {
  for (const param of hostParams(manifest))
    if (tellsSize(manifest, param.name))
      text.line(`values.param_${param.name} = ${sampleOf(manifest, param, "60", "50")};`);
}

/** Parameters on which no size depends. */
const freeParams = (manifest: Manifest): readonly HostParam[] =>
  hostParams(manifest).filter(({ name }) => !tellsSize(manifest, name));
/** Arrays that a run reads. */
const readArrays = ({ bindings }: Manifest): readonly Binding[] =>
  bindings.filter(({ role }) => role === "input" || role === "table");

/** Fills inputs, tables and the other parameters. */
function fillings(manifest: Manifest, spread: string, middle: string): readonly string[] {
  const range = [...sidesOf(manifest), ...scalarsOf(manifest).map((one) => `values.${scalarOf(one)}`)].join(
    ", ",
  );
  const sixty = spread === "101" ? "60" : `(60 % ${spread})`;
  return [
    ...freeParams(manifest).map(
      (param) => `values.param_${param.name} = ${sampleOf(manifest, param, sixty, middle)};`,
    ),
    ...readArrays(manifest).map(({ name, type }) => {
      const value = HOST_TYPES[type].sample(`(i * 37 % ${spread})`, middle);
      const elements = `${prefixOf(manifest)}_elements_${name}(${range})`;
      return `for (size_t i = 0; i < ${elements}; i++) in_${name}[i] = ${value};`;
    }),
  ];
}

/** Fills the arguments of a run, and runs. If a scatter writes outside of its array, it tries smaller numbers. */
function runOnSamples(text: Text, manifest: Manifest): void {
  const prefix = prefixOf(manifest);
  const call = `${prefix}_run(context, queue, program, ${sidesOf(manifest).join(", ")}, &values)`;
  if (!hasScatters(manifest)) {
    for (const line of fillings(manifest, "101", "50")) text.line(line);
    text.line(`TRY(${call});`);
    return;
  }
  const filled = [...freeParams(manifest), ...readArrays(manifest)];
  const isSigned = filled.some(({ type }) => HOST_TYPES[type].isCentred);
  text.line(
    "// If a number leads to an index outside of an array, smaller numbers without a sign are tried.",
  );
  text.line("size_t spread = 101;");
  if (isSigned) text.line("int middle = 50;");
  text.block("for (;;) {", () => {
    for (const line of fillings(manifest, "spread", "middle")) text.line(line);
    text.line(`status = ${call};`);
    text.line("if (!values.outside) break;");
    text.block("if (spread == 1) {", () => {
      text.line(`fputs("no sample data stay inside: call ${prefix}_run with your own data\\n", stderr);`);
      text.line("break;");
    });
    text.line('fprintf(stderr, "sample numbers below %zu are too large: trying smaller ones\\n", spread);');
    text.line("spread /= 10;");
    if (isSigned) text.line("middle = 0;");
  });
  text.line("if (status != CL_SUCCESS) goto done; // already reported");
}

/** The example's range if the command line gives none. */
const SAMPLE_SIDES = [40, 25, 3] as const;

const inputsOf = ({ bindings }: Manifest): readonly Binding[] =>
  bindings.filter(({ role }) => role === "input" || role === "table");
const shownOf = ({ bindings }: Manifest): readonly Binding[] =>
  bindings.filter(({ role, hidden }) => role === "output" && !hidden);
/** The arguments of functions of sizes. */
const rangeIn = (manifest: Manifest): string =>
  [...sidesOf(manifest), ...scalarsOf(manifest).map((one) => `values.${scalarOf(one)}`)].join(", ");
const isLine = (manifest: Manifest): boolean => sidesOf(manifest).length === 1;

export function defineMain(text: Text, manifest: Manifest): void {
  const usage = `[${isLine(manifest) ? "items" : sidesOf(manifest).join(" ")} [file of the kernels]]`;
  if (hasRedux(manifest)) defineHasRedux(text);
  text.line(`// Usage: ${usage}`);
  text.line("int main(int argc, char** argv) {");
  text.indent(() => {
    declareLocals(text, manifest);
    text.line();
    readArguments(text, manifest, usage);
    allocate(text, manifest);
    text.line();
    for (const line of openDevice(manifest)) text.line(line);
    text.line();
    runOnSamples(text, manifest);
    text.line();
    for (const output of shownOf(manifest)) show(text, manifest, output);
  });
  text.line("done:");
  text.indent(() => {
    for (const line of CLOSE_DEVICE) text.line(line);
    for (const { name } of inputsOf(manifest)) text.line(`free(in_${name});`);
    for (const { name } of shownOf(manifest)) text.line(`free(values.out_${name});`);
    text.line("return status == CL_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;");
  });
  text.line("}");
}

/** The argument that names the file of the kernels. */
const fileArgument = (manifest: Manifest): number => sidesOf(manifest).length + 1;

function declareLocals(text: Text, manifest: Manifest): void {
  const file = fileArgument(manifest);
  sidesOf(manifest).forEach((side, d) => {
    text.line(`size_t ${side} = ${isLine(manifest) ? 1000 : SAMPLE_SIDES[d]};`);
  });
  text.line(`const char* path = argc > ${file} ? argv[${file}] : ${macroOf(manifest)}_FILE;`);
  text.line("cl_device_id device = NULL;");
  text.line("cl_context context = NULL;");
  text.line("cl_command_queue queue = NULL;");
  text.line("cl_program program = NULL;");
  text.line("cl_int status = CL_SUCCESS;");
  text.line("char* source = NULL;");
  for (const { name, type } of inputsOf(manifest)) text.line(`${HOST_TYPES[type].c}* in_${name} = NULL;`);
  text.line(`struct ${prefixOf(manifest)}_values values;`);
}

function readArguments(text: Text, manifest: Manifest, usage: string): void {
  const file = fileArgument(manifest);
  const readings = sidesOf(manifest).map((side, d) => `!read_size(argv[${d + 1}], &${side})`);
  const isBad = [...(isLine(manifest) ? [] : [`argc < ${file}`]), ...readings].join(" || ");
  text.block(`if (argc > ${file + 1} || (argc > 1 && (${isBad}))) {`, () => {
    text.line(`fprintf(stderr, "usage: %s ${usage}\\n", argv[0]);`);
    text.line("return EXIT_FAILURE;");
  });
  checkRange(text, manifest, "return EXIT_FAILURE;");
}

function allocate(text: Text, manifest: Manifest): void {
  const bytesOf = (name: string): string => `${prefixOf(manifest)}_bytes_${name}(${rangeIn(manifest)})`;
  const make = (array: string, name: string): void => {
    text.line(`${array} = malloc(${bytesOf(name)});`);
    text.line(`TRY(${array} ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY);`);
  };
  text.line("memset(&values, 0, sizeof values);");
  sampleSizes(text, manifest);
  for (const { name } of tablesOf(manifest))
    text.line(`values.length_${name} = ${sidesOf(manifest).join(" * ")};`);
  for (const { name } of inputsOf(manifest)) {
    make(`in_${name}`, name);
    text.line(`values.in_${name} = in_${name};`);
  }
  for (const { name } of shownOf(manifest)) make(`values.out_${name}`, name);
}

const hasRedux = ({ flags }: Manifest): boolean => flags.buildOptionsRedux !== undefined;
function defineHasRedux(text: Text): void {
  text.line("// Whether an NVIDIA device has an instruction that reduces a warp.");
  text.block("static int has_redux(cl_device_id device) {", () => {
    text.line("cl_uint major = 0; // CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV");
    text.line("const cl_int status = clGetDeviceInfo(device, 0x4000, sizeof major, &major, NULL);");
    text.line(`return status == CL_SUCCESS && major >= ${REDUX.since};`);
  });
  text.line();
}
function buildOptions(manifest: Manifest): string {
  const options = `${macroOf(manifest)}_BUILD_OPTIONS`;
  return hasRedux(manifest) ? `has_redux(device) ? ${options}_REDUX : ${options}` : options;
}

const openDevice = (manifest: Manifest): readonly string[] => [
  "source = read_file(path);",
  "status = source ? CL_SUCCESS : CL_INVALID_VALUE;",
  "if (!source) goto done; // already reported",
  "TRY(find_device(&device));",
  "context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);",
  "TRY(status);",
  "queue = clCreateCommandQueue(context, device, 0, &status);",
  "TRY(status);",
  `TRY(build_program(context, device, source, ${buildOptions(manifest)}, &program));`,
];
const CLOSE_DEVICE: readonly string[] = [
  "if (program) clReleaseProgram(program);",
  "if (queue) clReleaseCommandQueue(queue);",
  "if (context) clReleaseContext(context);",
  "free(source);",
];

/** Prints the first elements of an output. */
function show(text: Text, manifest: Manifest, { name, type, lengthFrom }: Binding): void {
  const elements = `${prefixOf(manifest)}_elements_${name}(${rangeIn(manifest)})`;
  const count = lengthFrom ? `values.length_${name}` : elements;
  text.line(`printf("${name}: %zu elements:", ${count});`);
  const value = HOST_TYPES[type].shown(`values.out_${name}[i]`);
  text.line(
    `for (size_t i = 0; i < ${count} && i < SHOWN; i++) printf(" ${HOST_TYPES[type].format}", ${value});`,
  );
  text.line(`puts(${count} > SHOWN ? " ..." : "");`);
}
