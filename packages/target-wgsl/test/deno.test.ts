/** A second implementation of WebGPU and of WGSL: wgpu and naga, in Deno, running what is published. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, emit, type Pipeline, type Scalar } from "@groupwise/core";
import { SCALARS } from "@groupwise/core/target";
import { CASES, dataFor, differences, expressionsOf, typesOf, withOutputs } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { findDeno, runInDeno, scratchDirectory } from "@groupwise/testkit/devices";
import { build } from "esbuild";
import { expect } from "vitest";
import { wgsl } from "../src/index.ts";
import { constants } from "./pipelines.ts";

const N = 777;

const RUN = `
const { load } = await import(input.runtime);
const adapter = await navigator.gpu.requestAdapter();
const device = await adapter.requestDevice();
const types = {
  i32: Int32Array, u32: Uint32Array, i64: BigInt64Array, u64: BigUint64Array,
  f16: Uint16Array, f32: Float32Array, f64: Float64Array, bool: Uint8Array,
};
const bits = (array) => [...new Uint8Array(array.buffer, array.byteOffset, array.byteLength)];
const results = [];
for (const { artifact, values } of input.jobs) {
  const program = await load(device, artifact);
  const arrays = Object.fromEntries(values.map(([name, type, bytes]) => [name, new types[type](Uint8Array.from(bytes).buffer)]));
  const outputs = await program.run(arrays);
  results.push(Object.entries(outputs).map(([name, array]) => [name, bits(array)]));
}
return results;`;

/** The published runtime as one module. */
async function bundled(): Promise<string> {
  const outfile = join(scratchDirectory(), "runtime.mjs");
  const entry = new URL("../src/runtime.ts", import.meta.url).pathname;
  const conditions = ["@groupwise/source"];
  await build({ entryPoints: [entry], bundle: true, format: "esm", conditions, outfile });
  return pathToFileURL(outfile).href;
}

const bytesOf = (array: ArrayBufferView): number[] => [
  ...new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
];

function parts(whole: Pipeline): Pipeline[] {
  const names = check(whole).sinks.map(({ name }) => name);
  const starts = names.flatMap((_, i) => (i % 4 === 0 ? [i] : []));
  return starts.map((i) => withOutputs(whole, new Set(names.slice(i, i + 4))));
}

deviceTest(
  "operators, constants and collectives in Deno",
  () => findDeno("lavapipe"),
  async () => {
    const cases = CASES.map(({ ir }) => ir).filter((ir) =>
      (isFullRun() ? ["line-index", "mixed-scopes", "float-chain"] : ["mixed-scopes"]).includes(ir.name),
    );
    const types = typesOf(wgsl.capabilities);
    const pipelines = [
      ...cases,
      // A second of compiling each: one of 36, save in full runs.
      ...[...types.map((type) => expressionsOf(type, types)), constants.ir]
        .flatMap(parts)
        .filter((_, i) => isFullRun() || i % 36 === 0),
    ];
    const jobs = pipelines.map((ir) => ({ ir, values: dataFor(ir, N) }));
    const input = {
      runtime: await bundled(),
      jobs: jobs.map(({ ir, values }) => ({
        artifact: emit(ir, wgsl),
        values: check(ir).inputs.map(({ name, type }) => [name, type, bytesOf(values[name] as never)]),
      })),
    };
    const results = await runInDeno<[string, number[]][][]>(RUN, input, { adapter: "lavapipe" });
    const found = jobs.flatMap(({ ir, values }, i) => {
      const types = new Map(check(ir).sinks.map(({ id, name }) => [name, check(ir).types[id] as Scalar]));
      const outputs = Object.fromEntries(
        (results[i] ?? []).map(([name, bytes]) => {
          const { array } = SCALARS[types.get(name) as Scalar];
          return [name, new (array as never as typeof Uint8Array)(Uint8Array.from(bytes).buffer)];
        }),
      );
      return differences(ir, values, outputs, N);
    });
    expect(found).toEqual([]);
  },
);
