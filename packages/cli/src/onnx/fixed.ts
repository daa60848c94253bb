/** Inputs of a model that become constants: `--set axes=0,1`. */
import { badUsage } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import { parseElement } from "../values/scalar.ts";
import type { ModelProto } from "./model.ts";
import type { Constant } from "./tensor.ts";
import { arrayTypeOf, typeName } from "./types.ts";

/** @throws GroupwiseError `bad-usage` */
export function fixedInputs({ graph }: ModelProto, specs: readonly string[]): ReadonlyMap<string, Constant> {
  const known = graph.input.map(({ name = "" }) => name);
  const fixed = new Map<string, Constant>();
  for (const spec of specs) {
    const at = spec.lastIndexOf("=");
    const name = spec.slice(0, Math.max(at, 0));
    const tensor = graph.input.find((input) => input.name === name)?.type?.tensorType;
    if (!tensor) throw badUsage(`the model has no input ${JSON.stringify(name)}`, oneOf(name, known));
    const type = arrayTypeOf(tensor.elemType);
    if (type === undefined)
      throw badUsage(
        `the type of ${JSON.stringify(name)} is ${typeName(tensor.elemType)}`,
        "set inputs of numbers",
      );
    const values = spec
      .slice(at + 1)
      .split(",")
      .map((text) => {
        const value = parseElement(type, text);
        if (value !== undefined) return value;
        throw badUsage(`${JSON.stringify(text)} is not a value of ${type}`, `write --set ${name}=0,1`);
      });
    const sides = tensor.shape?.dim.map(({ dimValue }) => Number(dimValue)) ?? [values.length];
    const dims = sides.reduce((a, b) => a * b, 1) === values.length ? sides : [values.length];
    fixed.set(name, { type, dims, values });
  }
  return fixed;
}
