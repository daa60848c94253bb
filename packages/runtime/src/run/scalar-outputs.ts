/** Scalar outputs: a run returns their only element as a value of the host. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { HostArray, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { shown } from "../api/host-view.ts";
import { type PipelineSource, pipelineOf } from "../api/target.ts";
import type { RunOutputs, RunResults } from "../api/typed.ts";
import { recordOf } from "../checks/arguments.ts";
import type { Binding, Manifest } from "../plan/manifest.ts";

/** Converts the outputs of a device to the result of a run. */
export type ShapeResults = (outputs: RunOutputs, manifest: Manifest) => RunResults;

/**
 * Converts the results of a pipeline: the outputs that its builder declared as scalar become values. A
 * document declares none. The names are read now.
 * @returns a function that throws GroupwiseError `bad-argument` if such an output is not one value
 * @throws GroupwiseError `bad-argument`
 */
export function shapeOf(source: PipelineSource): ShapeResults {
  pipelineOf(source);
  const declared = (source as { readonly scalars?: unknown }).scalars;
  if (declared === undefined) return (outputs) => outputs;
  const names = Object.keys(recordOf(declared, "the scalar outputs"));
  return (outputs, manifest) => ({
    ...outputs,
    ...Object.fromEntries(
      names.map((name) => [name, firstOf(scalarBinding(manifest, name), outputs[name] as HostArray)]),
    ),
  });
}

const firstOf = ({ type }: Binding, array: HostArray): ScalarValue =>
  arraySpec(type).fromHost(array[0] as number | bigint);

function scalarBinding({ bindings, pipeline }: Manifest, name: string): Binding {
  const binding = bindings.find((one) => one.name === name && one.role === "output");
  if (binding?.uniformity === "uniform") return binding;
  const details = { what: `the scalar output ${shown(name)}`, want: "an output of one value" };
  const got = binding ? "an array" : "no output of the pipeline";
  throw errorOf("bad-argument", { ...details, got }, pipeline);
}
