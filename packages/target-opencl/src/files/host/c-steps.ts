/**
 * Functions of an emitted host for programs that keep their arrays on the device: kernels that are made once, buffers of
 * the caller, and runs of any size that are enqueued.
 */
import type { Binding, Manifest } from "@groupwise/core";
import type { LaunchParam, Text } from "@groupwise/core/kernel";
import { countOf, SCALARS, scalarOf, scalarsOf, sidesOf, tablesOf } from "@groupwise/core/target";
import { HOST_TYPES, hostParams, macroOf, prefixOf, sourceOf } from "./c-names.ts";
import type { HostText } from "./c-text.ts";

const offsetsOf = (manifest: Manifest): LaunchParam[] =>
  manifest.params.filter(({ role }) => role === "offset");
export const scratchOf = ({ bindings }: Manifest): Binding[] =>
  bindings.filter(({ role }) => role === "scratch");
/** Arrays that a caller passes one by one. */
const givenOf = ({ bindings }: Manifest): Binding[] => bindings.filter(({ role }) => role !== "scratch");

/** A pipeline that writes nothing has no kernel. */
export const hasPasses = ({ passes }: Manifest): boolean => passes.length > 0;

/** The arguments of functions of sizes, all of them variables. */
export const rangeOf = (manifest: Manifest): string =>
  [...sidesOf(manifest), ...scalarsOf(manifest).map(scalarOf)].join(", ");
export const rangeParams = (manifest: Manifest): string =>
  sidesOf(manifest)
    .map((side) => `size_t ${side}`)
    .join(", ");

/** Structs and declarations for the header, if cl.h is included before. */
export function declareSteps(text: Text, manifest: Manifest): void {
  const [prefix, macro] = [prefixOf(manifest), macroOf(manifest)];
  text.line();
  text.line("// For arrays that stay on the device: make the kernels once, then enqueue any number of runs,");
  text.line("// of any size. Kernels store their arguments: one thread at a time may use a set of them.");
  // C has no array of no elements.
  const count = hasPasses(manifest) ? `${macro}_PASSES` : "1";
  text.line(`struct ${prefix}_kernels { cl_kernel passes[${count}]; };`);
  text.block(
    `struct ${prefix}_buffers {`,
    () => {
      for (const { name, type } of hostParams(manifest)) text.line(`${HOST_TYPES[type].c} param_${name};`);
      for (const { name, type } of offsetsOf(manifest))
        text.line(`${HOST_TYPES[type].c} param_${name}; // the first global id`);
      for (const { name } of tablesOf(manifest)) text.line(`size_t length_${name}; // elements of the table`);
      for (const binding of givenOf(manifest))
        text.line(`cl_mem buffer_${binding.name}; // ${about(binding)}`);
      const size = `${prefix}_scratch_bytes`;
      text.line(
        scratchOf(manifest).length > 0
          ? `cl_mem scratch; // at least ${size} bytes; consecutive runs can share it`
          : `cl_mem scratch; // not used: ${size} is 0`,
      );
    },
    "};",
  );
  text.line(`cl_int ${prefix}_make_kernels(cl_program program, struct ${prefix}_kernels* kernels);`);
  text.line(`void ${prefix}_release_kernels(struct ${prefix}_kernels* kernels);`);
  text.line(
    "// Enqueues all passes, which the queue runs in order, and does not wait. Buffers may be larger than",
  );
  text.line(
    "// the range needs. Returns CL_SUCCESS, or the status of a failed call, which is also printed on stderr.",
  );
  text.line(`cl_int ${prefix}_enqueue(`);
  text.line(`  cl_command_queue queue, const struct ${prefix}_kernels* kernels,`);
  text.line(`  ${rangeParams(manifest)}, const struct ${prefix}_buffers* buffers);`);
}

function about({ role, elements, type, cleared, hidden, lengthFrom }: Binding): string {
  const notes = [role, `${countOf(elements, "element")} of ${type}`];
  if (hidden) notes[0] = "output that holds a length";
  if (role === "status") notes.push("a bit for each scatter that wrote outside its array");
  if (cleared) notes.push("every run clears it");
  if (lengthFrom) notes.push(`the number of valid elements is in ${lengthFrom}`);
  return notes.join(", ");
}

/** The functions that make and release kernels. */
export function defineSteps(text: HostText, manifest: Manifest): void {
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
    return;
  }
  text.indent(() => {
    text.line("cl_int status = CL_SUCCESS;");
    text.line("memset(kernels, 0, sizeof *kernels);");
    manifest.passes.forEach(({ entryPoint }, i) => {
      const made = text.call(
        "make_kernel",
        ...["program", `${macro}_KERNEL_${entryPoint}`, `&kernels->passes[${i}]`],
      );
      text.line(`TRY(${made});`);
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
}

/**
 * The launch scalars that passes or sizes use.
 * @param given the name of the struct that has the parameters
 */
export function defineScalars(text: HostText, manifest: Manifest, given: "values" | "buffers"): void {
  const sizing = scalarsOf(manifest).map(scalarOf);
  for (const param of manifest.params) {
    const { name, type, role, divides } = param;
    const isUsed = role === "offset" || divides || manifest.passes.some((pass) => pass.params.includes(name));
    if (!isUsed && !sizing.includes(`param_${name}`)) continue;
    const value = LAUNCHED[role](`${given}->param_${sourceOf(param).name}`, param, manifest, text);
    text.line(`const ${HOST_TYPES[type].c} param_${name} = ${value};`);
  }
}

type Launched = (value: string, param: LaunchParam, manifest: Manifest, text: HostText) => string;
/** Launch scalars by their roles; `value` is the parameter that the caller passes. */
const LAUNCHED: Readonly<Record<LaunchParam["role"], Launched>> = {
  length: () => "(cl_uint)n",
  size: (_, { dimension = 0 }, manifest) => `(cl_uint)${sidesOf(manifest)[dimension]}`,
  offset: (value) => value,
  "table-length": (_, { table }) => `(cl_uint)length_${table}`,
  zero: () => "0",
  user: (value, { from }, _, text) =>
    from && SCALARS[from.type].bits === 64 ? text.call("word_of", `&${value}`, String(from.word)) : value,
};
