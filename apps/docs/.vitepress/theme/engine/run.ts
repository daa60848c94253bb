/** Runs a pipeline on the CPU and on the GPU, and compares the results. */
import type { ArrayType, Checked, HostArray, RunOutputs, Runtime, RunValues } from "@groupwise/core";
import { arraySpec, typeOfSink } from "@groupwise/core/target";
import type { CompileProgress } from "@groupwise/target-wgsl/runtime";
import { compareBits } from "./compare.ts";
import { type FoundGpu, openGpu } from "./gpu.ts";
import { valuesOf } from "./inputs.ts";
import type { Preview, RunReport, RunRequest, Timed } from "./messages.ts";
import { problemOf } from "./problem.ts";
import { argumentsOf, sidesOf } from "./show.ts";
import { spansOf } from "./spans.ts";
import { DRAWN, treeOf } from "./tree.ts";

const SHOWN = 8;

interface Ran {
  readonly timed: Timed;
  readonly outputs: RunOutputs;
}

/** Compiles once and runs twice: the time of the second run has no compilation in it. */
async function runOn(
  runtime: Runtime,
  device: string,
  source: Checked,
  values: RunValues,
  n: number,
): Promise<Ran> {
  const start = performance.now();
  const executable = await runtime.compile(source.pipeline);
  const hasInputs = source.inputs.length > 0;
  const isFlat = source.pipeline.workGroupSize.length === 1;
  const options = isFlat ? (hasInputs ? {} : { n }) : { globalSize: sidesOf(source, n) };
  await executable.run(values, options);
  const ready = performance.now();
  const outputs = (await executable.run(values, options)) as RunOutputs;
  const end = performance.now();
  executable.dispose();
  return { timed: { device, compileMs: ready - start, runMs: end - ready }, outputs };
}

function previewOf(name: string, type: ArrayType, array: HostArray): Preview {
  const values = Array.from({ length: Math.min(SHOWN, array.length) }, (_, i) =>
    String(arraySpec(type).fromHost(array[i] as number | bigint)),
  );
  return { name, type, length: array.length, values, spans: spansOf(type, array) };
}

const typesOf = (source: Checked): Readonly<Record<string, ArrayType>> =>
  Object.fromEntries(source.sinks.map((sink) => [sink.name, typeOfSink(source, sink)]));

async function onGpu(
  gpu: FoundGpu,
  source: Checked,
  values: RunValues,
  n: number,
  want: RunOutputs,
): Promise<RunReport["gpu"]> {
  if ("missing" in gpu) return gpu;
  try {
    const { timed, outputs } = await runOn(gpu.runtime, gpu.name, source, values, n);
    return { ...timed, comparison: compareBits(typesOf(source), want, outputs) };
  } catch (error) {
    return { problem: problemOf(error) };
  } finally {
    gpu.runtime.dispose();
  }
}

/**
 * @param note called with what takes long
 * @throws GroupwiseError from the inputs, the compiler and the run on the CPU
 */
export async function run(
  source: Checked,
  request: RunRequest,
  note: (text: string) => void,
): Promise<RunReport> {
  const { cpuRuntime } = await import("@groupwise/cpu");
  const { n, values } = valuesOf(argumentsOf(source), request);
  const runtime = cpuRuntime();
  const cpu = await runOn(runtime, runtime.device.name, source, values, n);
  const tree = await treeOf(runtime, source, values, Math.min(n, request.drawn ?? DRAWN));
  const outputs = source.sinks.map((sink) =>
    previewOf(sink.name, typeOfSink(source, sink), cpu.outputs[sink.name] as HostArray),
  );
  const compiling = ({ ready, kernels, milliseconds }: CompileProgress): void =>
    note(
      `The GPU compiles kernels: ${ready} of ${kernels} are ready after ${Math.round(milliseconds / 1000)} s.`,
    );
  const gpu = await openGpu(compiling).catch((error: unknown) => ({ missing: problemOf(error).what }));
  return {
    n,
    outputs,
    cpu: cpu.timed,
    ...(tree && { tree }),
    gpu: await onGpu(gpu, source, values, n, cpu.outputs),
  };
}
