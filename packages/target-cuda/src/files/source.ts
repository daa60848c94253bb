/** The function of a pipeline in C++: it places scratch arrays in the workspace, clears what kernels expect to be zero, and launches. */
import type { Binding, Manifest, Pass } from "@groupwise/core";
import { commentText, type LaunchParam, Text, wordsIn } from "@groupwise/core/kernel";
import {
  formulaInC,
  functionsOf,
  refusalsOf,
  SCRATCH_ALIGNMENT,
  sidesOf,
  sizesOf,
  tooManyItems,
} from "@groupwise/core/target";
import { argumentsOf } from "./arguments.ts";
import { printFirst } from "./header.ts";
import { arrayOf, fileOf, isGiven, isStatus, symbolOf } from "./names.ts";

/** The prefix of functions of sizes. */
const PREFIX = "of";
/** Bytes in the place of an array without elements: kernels read the first element even if they ignore it. */
const SPARE = 16;

/** Calls that have other names in HIP. */
const CALLS: readonly string[] = [
  "#ifdef __HIP_PLATFORM_AMD__",
  "#include <hip/hip_runtime.h>",
  "#define GW_API(name) hip##name",
  "#else",
  "#include <cuda_runtime.h>",
  "#define GW_API(name) cuda##name",
  "#endif",
];

/** Functions of hosts, by name. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  is_size: ["inline bool is_size(int64_t size, int64_t most) { return size >= 0 && size <= most; }"],
  place: [
    "// The offset of an array in the workspace, after those before it.",
    "inline size_t place(size_t& end, int64_t bytes) {",
    "  const size_t begin = end;",
    `  end += ((size_t)bytes + ${SCRATCH_ALIGNMENT - 1}) / ${SCRATCH_ALIGNMENT} * ${SCRATCH_ALIGNMENT};`,
    "  return begin;",
    "}",
  ],
  launch: [
    "template <class... Parameters>",
    "gw_error launch(",
    "  gw_stream stream, int64_t groups, unsigned size, void (*kernel)(Parameters...), Parameters... given) {",
    "  if (groups == 0) return GW_API(Success);",
    "#ifdef __HIP_PLATFORM_AMD__",
    "  hipLaunchKernelGGL(kernel, dim3((unsigned)groups), dim3(size), 0, stream, given...);",
    "  return hipPeekAtLastError();",
    "#else",
    "  const void* const function = reinterpret_cast<const void*>(kernel);",
    "  void* pointers[] = {&given...};",
    "  return cudaLaunchKernel(function, dim3((unsigned)groups), dim3(size), pointers, 0, stream);",
    "#endif",
    "}",
  ],
};

/** The text of `gw_<name>.cu`. @param kernels the file of kernels, and its text */
export function printSource(
  manifest: Manifest,
  command: string,
  kernels: { readonly path: string; readonly text: string },
): string {
  const text = new Text();
  printFirst(text, manifest, "a function for C++ on arrays of a CUDA or HIP device", command);
  for (const line of CALLS) text.line(line);
  text.line(`#include "${fileOf(manifest)}.hpp"`);
  text.line();
  const forms = formsOf(manifest, kernels.text);
  text.line("#define GROUPWISE_KERNEL static __global__");
  for (const [name, macro] of forms) {
    text.line(`namespace ${name} {`);
    if (macro) text.line(`#define ${macro}`);
    text.line(`#include "${kernels.path}"`);
    if (macro) text.line(`#undef ${macro}`);
    text.line(`} // namespace ${name}`);
  }
  text.line();
  const host = `${symbolOf(manifest)}_host`;
  text.line(`namespace ${host} {`);
  text.line("namespace {");
  const body = new Text();
  printFunction(
    body,
    manifest,
    forms.map(([name]) => name),
  );
  const words = wordsIn(body.toString());
  for (const { name, value } of functionsOf(sizesOf(manifest)))
    if (words.has(`${PREFIX}_${name}`))
      text.line(`inline int64_t ${PREFIX}_${name}(int64_t a, int64_t b) { return ${value}; }`);
  for (const [name, lines] of Object.entries(FUNCTIONS))
    if (words.has(name)) for (const line of lines) text.line(line);
  text.line("} // namespace");
  text.line(`} // namespace ${host}`);
  text.line();
  for (const line of body.toString().trimEnd().split("\n")) text.line(line);
  return text.toString();
}

type Form = readonly [namespace: string, macro?: string];
/** The namespaces of the kernels: of those for aligned arrays, and of those for others if the two differ. */
const formsOf = (manifest: Manifest, text: string): readonly Form[] => {
  const aligned: Form = [`${symbolOf(manifest)}_kernels`];
  if (!/\b(?:load|store)_row\b/.test(text)) return [aligned];
  return [aligned, [`${symbolOf(manifest)}_unaligned`, "GROUPWISE_UNALIGNED"]];
};

function printFunction(text: Text, manifest: Manifest, forms: readonly string[]): void {
  const args = argumentsOf(manifest);
  text.line(`gw_error ${symbolOf(manifest)}(`);
  text.indent(() => {
    args.forEach(({ type, name }, i) => {
      text.line(`${type} ${name}${i < args.length - 1 ? "," : ") {"}`);
    });
  });
  text.indent(() => {
    text.line(`using namespace ${symbolOf(manifest)}_host;`);
    check(text, manifest);
    const own = placeWorkspace(text, manifest);
    for (const name of unused(manifest)) text.line(`(void)${name};`);
    clear(text, manifest);
    if (own.spare) replaceEmpty(text, manifest);
    if (forms.length > 1) text.line(`const bool is_aligned = ${alignmentOf(manifest)};`);
    if (manifest.passes.length > 0)
      forms.forEach((name, i) => {
        text.line(`namespace ${FORM_NAMES[i]} = ${name}::groupwise;`);
      });
    for (const pass of manifest.passes) launch(text, manifest, pass, forms.length > 1);
    text.line("return GW_API(Success);");
  });
  text.line("}");
}

const size = (manifest: Manifest, f: Binding["bytes"]): string => formulaInC(f, PREFIX, sidesOf(manifest));

function check(text: Text, manifest: Manifest): void {
  const most = `${manifest.maxItems}u`;
  const refuse = (condition: string, message: string): void =>
    text.line(`if (${condition}) return GW_API(ErrorInvalidValue); // ${commentText(message)}`);
  refuse(tooManyItems(manifest, most), "too many items");
  const refusals = refusalsOf(manifest, {
    ...{ prefix: PREFIX, most, isSize: (value, limit) => `is_size(${value}, ${limit})`, wide: String },
  });
  for (const { condition, message } of refusals) refuse(condition, message);
}

const isRead = ({ role }: Binding): boolean => role === "input" || role === "table";
/** The arrays and launch scalars of kernels. */
const usedIn = ({ passes }: Manifest): ReadonlySet<string> =>
  new Set(passes.flatMap((pass) => [...pass.params, ...pass.bindings.map(({ name }) => name)]));

/** Names the arrays of the workspace, or returns its size. */
function placeWorkspace(text: Text, manifest: Manifest): { readonly spare: boolean } {
  const own = manifest.bindings.filter((binding) => !isGiven(binding));
  const spare = manifest.bindings.some((one) => isRead(one) && usedIn(manifest).has(one.name));
  text.line("size_t end = 0;");
  if (spare) text.line(`const size_t at_spare = place(end, ${SPARE});`);
  for (const { name, bytes } of own) {
    text.line(`const int64_t bytes_${name} = ${size(manifest, bytes)};`);
    text.line(`const size_t at_${name} = place(end, bytes_${name});`);
  }
  text.line(`end += ${SCRATCH_ALIGNMENT}; // the workspace may begin anywhere`);
  text.block("if (workspace == nullptr) {", () => {
    text.line("workspace_bytes = end;");
    text.line("return GW_API(Success);");
  });
  text.line("if (workspace_bytes < end) return GW_API(ErrorInvalidValue); // the workspace is too small");
  if (own.length === 0 && !spare) return { spare };
  const mask = `~(uintptr_t)${SCRATCH_ALIGNMENT - 1}`;
  text.line(
    `unsigned char* const base = reinterpret_cast<unsigned char*>((reinterpret_cast<uintptr_t>(workspace) + ${SCRATCH_ALIGNMENT - 1}) & ${mask});`,
  );
  for (const binding of own) {
    const place = `base + at_${binding.name}`;
    const given = isStatus(binding) ? `outside != nullptr ? static_cast<void*>(outside) : ${place}` : place;
    text.line(`void* const ${arrayOf(binding)} = ${given};`);
  }
  return { spare };
}

function clear(text: Text, manifest: Manifest): void {
  for (const binding of manifest.bindings.filter(({ cleared }) => cleared)) {
    const bytes = isGiven(binding)
      ? `${size(manifest, binding.elements)} * ${binding.bytesPerElement}`
      : `bytes_${binding.name}`;
    attempt(text, `GW_API(MemsetAsync)(${arrayOf(binding)}, 0, (size_t)(${bytes}), stream)`);
  }
}

const attempt = (text: Text, call: string): void =>
  text.line(`if (const gw_error error = ${call}; error != GW_API(Success)) return error;`);

/** Arrays without elements may be nullptr. */
function replaceEmpty(text: Text, manifest: Manifest): void {
  for (const binding of manifest.bindings.filter(isRead)) {
    if (!usedIn(manifest).has(binding.name)) continue;
    const name = arrayOf(binding);
    const elements = binding.role === "table" ? `length_${binding.name}` : size(manifest, binding.elements);
    text.line(`if (${elements} == 0) ${name} = reinterpret_cast<decltype(${name})>(base + at_spare);`);
  }
}

/** Whether kernels can access rows of all arrays. */
const alignmentOf = (manifest: Manifest): string => {
  const given = manifest.bindings
    .filter(isGiven)
    .map((binding) => `reinterpret_cast<uintptr_t>(${arrayOf(binding)})`);
  return given.length === 0 ? "true" : `(${given.join(" | ")}) % ${SPARE} == 0`;
};

/** What a function calls the namespaces of kernels. */
const FORM_NAMES = ["kernels", "unaligned"] as const;

function launch(text: Text, manifest: Manifest, pass: Pass, hasTwo: boolean): void {
  const [aligned, unaligned] = FORM_NAMES.map((name) => `${name}::${pass.entryPoint}`);
  const typed = (type: string): string => `${FORM_NAMES[0]}::${type}`;
  const params = pass.params.map((name) => {
    const param = manifest.params.find((one) => one.name === name) as Manifest["params"][number];
    return `(${typed(param.memory)})${launched(param, manifest)}`;
  });
  const arrays = pass.bindings.map(({ name, access }) => {
    const binding = manifest.bindings.find((one) => one.name === name) as Binding;
    return `(${access === "read" ? "const " : ""}${typed(binding.memory)}*)${arrayOf(binding)}`;
  });
  const groups = size(manifest, pass.groups);
  const chosen = hasTwo ? `is_aligned ? ${aligned} : ${unaligned}` : aligned;
  const given = [`stream, ${groups}, ${pass.workGroupSize}`, chosen as string, ...params, ...arrays];
  attempt(text, `launch(\n    ${given.join(",\n    ")})`);
}

/** A launch scalar, from the arguments. */
function launched({ name, role, dimension = 0, table = "", from }: LaunchParam, manifest: Manifest): string {
  const sides = sidesOf(manifest);
  return {
    length: sides.length > 1 ? `(${sides.join(" * ")})` : "n",
    size: sides[dimension] as string,
    offset: `param_${name}`,
    "table-length": `length_${table}`,
    zero: "0",
    // Of a half the bits are given, and are what kernels take.
    user: `param_${from?.name ?? name}`,
  }[role];
}

/** Arguments about which compilers warn that nothing reads them. */
function unused(manifest: Manifest): readonly string[] {
  const used = usedIn(manifest);
  const arrays = manifest.bindings.filter((one) => isGiven(one) && !used.has(one.name)).map(arrayOf);
  const users = argumentsOf(manifest).filter(({ name }) => /^(?:param|length)_/.test(name));
  const isEnqueued = manifest.passes.length > 0 || manifest.bindings.some(({ cleared }) => cleared);
  return [...arrays, ...users.map(({ name }) => name), ...(isEnqueued ? [] : ["stream"])];
}
