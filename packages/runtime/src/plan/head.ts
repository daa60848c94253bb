/** The first lines of an emitted file: what it computes, of what, and how. */
import { printFormula } from "@groupwise/ir/base/formula.js";
import type { Binding, Manifest } from "./manifest.ts";

/** The lines of a comment, without its marks. @param command that makes the file again */
export function headOf(manifest: Manifest, command: string = manifest.command): readonly string[] {
  const { pipeline, generator, bindings, strategy, params } = manifest;
  const arrays = (...roles: readonly Binding["role"][]): readonly string[] =>
    bindings.filter(({ role, hidden }) => !hidden && roles.includes(role)).map(arrayText);
  // Two words of a parameter come from one.
  const users = params.flatMap((param) => (param.role === "user" ? (param.from ?? param) : []));
  const scalars = new Set(users.map(({ name, type }) => `${type} ${name}`));
  const listed = (title: string, values: readonly string[]): readonly string[] =>
    values.length > 0 ? [`${title}: ${values.join(", ")}`] : [];
  return [
    `${pipeline}: made by ${generator}. Do not edit; regenerate it with`,
    `  ${command}`,
    ...listed("Inputs", [...arrays("input", "table"), ...scalars]),
    ...listed("Outputs", arrays("output")),
    `Strategy: ${strategy}`,
  ];
}

const arrayText = ({ name, role, type, elements }: Binding): string =>
  `${type} ${name}[${role === "table" ? "" : printFormula(elements)}]`;
