/** The functions that enqueue passes. */
import type { Manifest } from "@groupwise/core";
import { sidesOf, tablesOf } from "@groupwise/core/target";
import { prefixOf, takesLength } from "./c-names.ts";
import { checkRun } from "./c-sizes.ts";
import { defineScalars, hasPasses, rangeOf, rangeParams, scratchOf } from "./c-steps.ts";
import type { HostText } from "./c-text.ts";

export function defineEnqueue(text: HostText, manifest: Manifest): void {
  const [prefix, range, sides] = [prefixOf(manifest), rangeOf(manifest), sidesOf(manifest)];
  const scratch = scratchOf(manifest);
  text.line(`cl_int ${prefix}_enqueue(`);
  text.line(`  cl_command_queue queue, const struct ${prefix}_kernels* kernels,`);
  text.line(`  ${rangeParams(manifest)}, const struct ${prefix}_buffers* buffers) {`);
  text.indent(() => {
    if (!hasPasses(manifest)) text.line("(void)kernels;");
    text.line("cl_int status = CL_SUCCESS;");
    for (const { name } of scratch) text.line(`cl_mem buffer_${name} = NULL;`);
    if (sides.length > 1 && takesLength(manifest)) text.line(`const size_t n = ${sides.join(" * ")};`);
    for (const { name } of tablesOf(manifest))
      text.line(`const size_t length_${name} = buffers->length_${name};`);
    defineScalars(text, manifest, "buffers");
    checkRun(text, manifest);
    for (const { name } of scratch) {
      const place = [`${prefix}_scratch_offset_${name}(${range})`, `${prefix}_bytes_${name}(${range})`];
      text.line(`TRY(${text.call("part_of", "buffers->scratch", ...place, `&buffer_${name}`)});`);
    }
    for (const { name, cleared, role } of manifest.bindings) {
      if (!cleared) continue;
      const buffer = role === "scratch" ? `buffer_${name}` : `buffers->buffer_${name}`;
      text.line(`TRY(${text.call("clear_buffer", "queue", buffer, `${prefix}_bytes_${name}(${range})`)});`);
    }
    manifest.passes.forEach((pass, i) => {
      enqueuePass(text, manifest, pass, i);
    });
  });
  text.line("done:");
  text.indent(() => {
    for (const { name } of scratch)
      text.line(`status = ${text.call("release_buffer", `buffer_${name}`, "status")};`);
    text.line("return status;");
  });
  text.line("}");
}

function enqueuePass(text: HostText, manifest: Manifest, pass: Manifest["passes"][number], i: number): void {
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
