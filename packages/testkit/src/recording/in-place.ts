/** Tests of outputs in the arrays of inputs. */
import {
  check,
  type DeviceArray,
  type Executable,
  GroupwiseError,
  type HostArrays,
  type PipelineSource,
  type RunOutputs,
  type Runtime,
  type Scalar,
} from "@groupwise/core";
import { isSupported, pipelineOf, typeOfSink, valueTypeOf } from "@groupwise/core/target";
import { expect } from "vitest";
import { dataFor, differences } from "../data/compare.ts";
import { type RuntimeTests, wrong } from "./check.ts";
import { IN_PLACE } from "./pipelines.ts";

type Row = (typeof IN_PLACE)[number];

async function inPlace(runtime: Runtime, [, source, inPlace, reason]: Row): Promise<void> {
  const ir = pipelineOf(source);
  const types = check(ir).inputs.map(({ type }) => type);
  if (types.some((type) => !isSupported(runtime.capabilities.scalars[valueTypeOf(type)]))) return;
  const compiled = runtime.compile(source, { inPlace }).catch((error: GroupwiseError) => error);
  const executable = await compiled;
  if ("code" in executable && executable.code === "unsupported") throw executable;
  if (reason)
    expect(executable).toMatchObject({ code: "in-place-refused", what: expect.stringMatching(reason) });
  if (executable instanceof GroupwiseError) {
    // An implementation that computes each output element on its own makes a new array for every pass.
    if (runtime.capabilities.execution === "per-output") expect(executable.code).toBe("in-place-refused");
    else if (!reason) throw executable;
    return;
  }
  for (const n of [0, 1, 700, 4801]) await inPlaceAgrees(runtime, executable, source, n);
  executable.dispose();
}

async function inPlaceAgrees(
  runtime: Runtime,
  executable: Executable,
  source: PipelineSource,
  n: number,
): Promise<void> {
  const ir = pipelineOf(source);
  const checked = check(ir);
  const values = dataFor(ir, n, n);
  const before = Object.fromEntries(Object.entries(values).map(([name, array]) => [name, array.slice()]));
  const got = await executable.run(values, { n });
  expect(differences(ir, before, got as RunOutputs, n)).toEqual([]);
  expect(values).toEqual(before);
  const arrays: Record<string, DeviceArray> = {};
  for (const { name, type } of checked.inputs)
    arrays[name] = runtime.array(type, values[name] as HostArrays[Scalar] as never);
  const { bindings } = executable.manifest;
  const outputs = checked.sinks.map((sink) => {
    const { name } = sink;
    const taken = bindings.find((binding) => binding.name === name)?.inPlace;
    const array =
      taken === undefined ? runtime.array(typeOfSink(checked, sink), Math.max(1, n)) : arrays[taken];
    if (taken === undefined) arrays[name] = array as DeviceArray;
    return [name, array as DeviceArray] as const;
  });
  await runtime.record().run(executable, arrays, { n }).submit();
  const found = await wrong(source, before, n, Object.fromEntries(outputs));
  expect(found).toEqual([]);
}

export const IN_PLACE_TESTS: RuntimeTests = Object.fromEntries(
  IN_PLACE.map((row) => [
    `${row[3] ? "refuses " : ""}in place: ${row[0]}`,
    (runtime: Runtime) => inPlace(runtime, row),
  ]),
);
