/** One .cl file with all kernels of a pipeline, and its manifest. */
import {
  type Artifact,
  type EmitOptions,
  GENERATOR,
  type Manifest,
  type Plan,
  printFormula,
  printManifest,
} from "@groupwise/core";
import {
  allExprs,
  type Buffer,
  CFamily,
  commentText,
  type Expr,
  type Fn,
  type Kernel,
  type LaunchParam,
  type Module,
  manifestOf,
  Text,
} from "@groupwise/core/kernel";
import { DIALECT, elementType, valueType, vectorOf } from "./spelling.ts";

const TARGET = "opencl";
const DIVIDE = "-cl-fp32-correctly-rounded-divide-sqrt";

export function emitOpenCl(plan: Plan, options: EmitOptions): Artifact {
  const name = plan.checked.pipeline.name;
  const native = dividesFloats(plan.module);
  const manifest = manifestOf(plan, {
    generator: GENERATOR,
    command: options.command ?? `groupwise emit ${name} --target ${TARGET}`,
    target: TARGET,
    file: `${name}.cl`,
    requires: native ? ["correctly-rounded-divide"] : [],
    flags: {
      buildOptions: ["-cl-std=CL1.2", ...(native ? [DIVIDE] : [])].join(" "),
      divide: native ? "native" : "exact",
      tile: `${plan.capabilities.tile.workGroupSize} x ${plan.capabilities.tile.itemsPerWorkItem}`,
    },
  });
  return {
    manifest,
    files: [
      { path: `${name}.cl`, text: printProgram(plan, manifest) },
      { path: `${name}.cl.json`, text: printManifest(manifest) },
    ],
  };
}

function dividesFloats(module: Module): boolean {
  const isDivision = (e: Expr): boolean => e.kind === "binary" && e.op === "div" && e.type === "f32";
  return module.kernels.some((kernel) => [...allExprs(kernel.body)].some(isDivision));
}

function printProgram(plan: Plan, manifest: Manifest): string {
  const text = new Text();
  const printer = new CFamily(DIALECT);
  header(text, manifest);
  text.line();
  text.line(
    "// A product and a sum must not become one operation: the results would differ between devices.",
  );
  text.line("#pragma OPENCL FP_CONTRACT OFF");
  for (const fn of plan.module.functions) {
    text.line();
    printer.fn(text, fn, functionHead(fn, printer));
  }
  for (const kernel of plan.module.kernels) {
    text.line();
    printKernel(text, printer, kernel, plan.module, manifest);
  }
  return text.toString();
}

function header(text: Text, manifest: Manifest): void {
  const { flags } = manifest;
  text.line(`// ${manifest.pipeline}: made by ${manifest.generator}. Do not edit; make it again with`);
  text.line(`//   ${commentText(manifest.command)}`);
  text.line(`// OpenCL C 1.2. Build options: ${flags.buildOptions}`);
  text.line("// Never build it with -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.");
  text.line(`// Tiles: ${flags.tile} items. Division of floats: ${flags.divide}.`);
  text.line(`// Passes, one after the other; each is left out where it has no work-group:`);
  for (const pass of manifest.passes) {
    text.line(`//   ${pass.entryPoint}: ${printFormula(pass.groups)} work-groups of ${pass.workGroupSize}`);
  }
}

export function functionHead(fn: Fn, printer: CFamily): string {
  const params = fn.params.map((p) => `const ${valueType(p.type)} ${printer.name(p.name)}`);
  return `${vectorOf(fn.returns, fn.width)} ${printer.name(fn.name)}(${params.join(", ")}) {`;
}

function printKernel(text: Text, printer: CFamily, kernel: Kernel, module: Module, manifest: Manifest): void {
  const pass = manifest.passes.find((p) => p.entryPoint === kernel.name) as Manifest["passes"][number];
  const params = pass.params.map((name) => module.params.find((p) => p.name === name) as LaunchParam);
  const rows = [
    ...params.map((p) => [`const ${elementType(p.type)} ${printer.name(p.name)}`, PARAM_NOTES[p.role]]),
    ...pass.bindings.map((use) => {
      const buffer = module.buffers.find((b) => b.name === use.name) as Buffer;
      return [`${pointer(buffer, use.access)}${printer.name(use.name)}`, note(buffer)];
    }),
  ] as [string, string][];
  for (const line of kernel.doc) text.line(`// ${commentText(line)}`);
  text.line(`__kernel __attribute__((reqd_work_group_size(${kernel.workGroupSize}, 1, 1)))`);
  text.line(`void ${printer.name(kernel.name)}(`);
  text.indent(() => {
    rows.forEach(([head, about], i) => {
      text.line(`${head}${i < rows.length - 1 ? "," : ")"} // ${about}`);
    });
  });
  text.block("{", () => {
    for (const array of kernel.shared) {
      text.line(`__local ${elementType(array.type)} ${printer.name(array.name)}[${array.length}];`);
    }
    printer.block(text, kernel.body);
  });
}

const PARAM_NOTES: Readonly<Record<LaunchParam["role"], string>> = {
  length: "number of items",
  size: "items in the dimension",
  offset: "what global ids count from in the dimension",
  zero: "always 0",
  user: "parameter",
};

const pointer = (buffer: Buffer, access: "read" | "write" | "read-write"): string =>
  buffer.role === "status"
    ? "volatile __global uint* "
    : access === "read"
      ? `__global const ${elementType(buffer.type)}* restrict `
      : `__global ${elementType(buffer.type)}* `;

const note = (buffer: Buffer): string =>
  `${buffer.role}, ${printFormula(buffer.elements)} elements${buffer.cleared ? ", all zero at first" : ""}`;
