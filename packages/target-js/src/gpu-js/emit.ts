/** A module of gpu.js kernels, one function for each pass, and a table with their order. */
import { type Artifact, type EmitOptions, type Plan, printManifest } from "@groupwise/core";
import {
  allExprs,
  arraysOf,
  CFamily,
  commentText,
  fixed,
  headOf,
  type Kernel,
  manifestOf,
  spellNames,
  Text,
} from "@groupwise/core/kernel";
import { formulaInModule, GENERATOR, isReservedInModule, OWN_ARRAYS, SIDES } from "@groupwise/core/target";
import { GPU_JS_DIALECT } from "./spelling.ts";

const TARGET = "gpujs";

export function emitGpuJs(plan: Plan, options: EmitOptions): Artifact {
  const name = plan.checked.pipeline.name;
  const command = options.command ?? `groupwise emit ${name}.json --target ${TARGET}`;
  const file = `${name}.gpu.mjs`;
  const manifest = manifestOf(plan, {
    generator: GENERATOR,
    command,
    target: TARGET,
    file,
    requires: ["gpu.js 2"],
    flags: {},
    arrays: OWN_ARRAYS,
  });
  const [text, table] = [new Text(), new Text()];
  for (const line of headOf(manifest)) text.line(`// ${commentText(line)}`);
  text.line(
    "// Each function is a gpu.js kernel: gpu.js reads its text, so no tool may rename or rewrite it.",
  );
  const printer = new CFamily(GPU_JS_DIALECT);
  for (const kernel of plan.module.kernels) printKernel(text, printer, plan, kernel);
  table.line();
  table.line(
    "/** In order; a pass without elements is skipped, an empty array gets one element. Arguments: arrays, integers, floats. */",
  );
  table.block(
    "export const passes = [",
    () => {
      for (const kernel of plan.module.kernels) table.line(row(plan, kernel));
    },
    "];",
  );
  return {
    manifest,
    files: [
      { path: file, text: spellNames(text.toString(), isReservedInModule) + table.toString() },
      { path: `${file}.json`, text: printManifest(manifest) },
    ],
  };
}

/** The arguments of a kernel: gpu.js requires arrays first, then integers, then floats. */
function argumentsOf(
  plan: Plan,
  kernel: Kernel,
): { output: string; arrays: string[]; integers: string[]; floats: string[] } {
  const used = arraysOf(kernel, plan.module.buffers);
  const params = new Set(allExprs(kernel.body).flatMap((e) => (e.kind === "param" ? [e.name] : [])));
  const names = (integer: boolean): string[] =>
    plan.module.params.filter((p) => params.has(p.name) && (p.type === "u32") === integer).map((p) => p.name);
  return {
    output: used.find((array) => array.access !== "read")?.name ?? "",
    arrays: used.filter((array) => array.access === "read").map((array) => array.name),
    integers: names(true),
    floats: names(false),
  };
}

function printKernel(text: Text, printer: CFamily, plan: Plan, kernel: Kernel): void {
  const { arrays, integers, floats } = argumentsOf(plan, kernel);
  text.line();
  for (const line of kernel.doc) text.line(`// ${commentText(line)}`);
  const params = [...arrays, ...integers, ...floats].map((name) => printer.name(name));
  text.block(`export function ${fixed(kernel.name)}(${params.join(", ")}) {`, () =>
    printer.block(text, kernel.body),
  );
}

function row(plan: Plan, kernel: Kernel): string {
  const { output, arrays, integers, floats } = argumentsOf(plan, kernel);
  const list = (names: readonly string[]): string =>
    `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;
  const { workGroupSize } = plan.checked.pipeline;
  const sides = workGroupSize.length === 1 ? ["n"] : workGroupSize.map((_, d) => SIDES[d] as string);
  const formula = formulaInModule(kernel.groups, (name) => (name === "n" ? sides.join(" * ") : String(name)));
  const cells = `(${sides.join(", ")}) => ${formula}`;
  return `{ kernel: ${kernel.name}, output: "${output}", cells: ${cells}, arrays: ${list(arrays)}, integers: ${list(integers)}, floats: ${list(floats)} },`;
}
