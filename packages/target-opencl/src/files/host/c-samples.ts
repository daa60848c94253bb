/** The sample data of an emitted host. */
import type { Binding, Manifest } from "@groupwise/core";
import type { Text } from "@groupwise/core/kernel";
import { scalarOf, scalarsOf, sidesOf } from "@groupwise/core/target";
import { HOST_TYPES, type HostParam, hasScatters, hostParams, prefixOf } from "./c-names.ts";

/** A sample value of a parameter. */
function sampleOf(manifest: Manifest, { name, type }: HostParam, k: string, middle: string): string {
  const divides = manifest.params.some((param) => param.name === name && param.divides);
  if (divides) return `(${sidesOf(manifest).join(" * ")}) % 10 == 0 ? 10 : 1`;
  return HOST_TYPES[type].sample(k, middle);
}

const tellsSize = (manifest: Manifest, param: string): boolean =>
  scalarsOf(manifest).some((one) => scalarOf(one) === `param_${param}`);

/** Parameters on which sizes depend: arrays get their memory by them, once. */
export function sampleSizes(text: Text, manifest: Manifest): void {
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
export function runOnSamples(text: Text, manifest: Manifest): void {
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
