/**
 * Runs the checked function of emitted C in a process of its own, where sanitizers see every access: inputs come from
 * stdin into arrays of exactly their size, and outputs hold garbage before the call.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CompileOptions,
  type Executable,
  type HostArray,
  type Manifest,
  type PipelineSource,
  plan,
  type Runtime,
} from "@groupwise/core";
import { unmarked } from "@groupwise/core/kernel";
import {
  arraySpec,
  elementsOf,
  finishRun,
  type Prepared,
  prepareRun,
  type UntypedCompile,
  withoutArrays,
} from "@groupwise/core/target";
import { c } from "../src/index.ts";
import { type Argument, entryArguments, lengthOf } from "../src/print/arguments.ts";
import { STATUSES, symbolOf } from "../src/print/names.ts";
import { keptProgram, written } from "./support.ts";

const isWritten = ({ type, isPointer }: Argument): boolean => isPointer && !type.startsWith("const ");

/** A program that reads the arguments, calls the function, and writes its result and what it wrote. */
function mainOf(manifest: Manifest): string {
  const args = entryArguments(manifest).map((one, i) => ({ ...one, name: `a${i}` }));
  const take = args.map(({ name, type, isPointer }) =>
    isPointer
      ? `  size_t bytes_${name} = 0;\n  ${type} *${name} = take(&bytes_${name});`
      : `  ${type} ${name};\n  read(&${name}, sizeof ${name});`,
  );
  const give = args
    .filter(isWritten)
    .map(({ name }) => `  if (bytes_${name} > 0) fwrite(${name}, 1, bytes_${name}, stdout);`);
  return `#include "${manifest.flags.header}"
#include <stdio.h>
#include <stdlib.h>
static void read(void *to, size_t bytes) {
  if (bytes > 0 && fread(to, 1, bytes, stdin) != bytes) exit(99);
}
static inline void *take(size_t *bytes) {
  uint64_t size;
  read(&size, sizeof size);
  *bytes = (size_t)size;
  void *made = malloc(*bytes);
  read(made, *bytes);
  return made;
}
int main(void) {
${take.join("\n")}
  const int status = ${symbolOf(manifest)}(${args.map(({ name }) => name).join(", ")});
  fwrite(&status, sizeof status, 1, stdout);
${give.join("\n")}
${args
  .filter(({ isPointer }) => isPointer)
  .map(({ name }) => `  free((void *)${name});`)
  .join("\n")}
  return 0;
}
`;
}

/** Of each type of a scalar argument what holds one of it. */
const SLOTS: Readonly<Record<string, (value: number | bigint) => HostArray>> = {
  size_t: (value) => BigUint64Array.of(BigInt(value)),
  uint64_t: (value) => BigUint64Array.of(BigInt(value)),
  int64_t: (value) => BigInt64Array.of(BigInt(value)),
  uint32_t: (value) => Uint32Array.of(Number(value)),
  int32_t: (value) => Int32Array.of(Number(value)),
  uint16_t: (value) => Uint16Array.of(Number(value)),
  float: (value) => Float32Array.of(Number(value)),
  double: (value) => Float64Array.of(Number(value)),
  bool: (value) => Uint8Array.of(Number(value)),
};
const bytesOf = (type: string, value: number | bigint): Uint8Array =>
  raw((SLOTS[type] as (typeof SLOTS)[string])(value));
const raw = (array: HostArray): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The values of the scalar arguments, by name. */
function scalarsOf(manifest: Manifest, { params, inputs }: Prepared): ReadonlyMap<string, number | bigint> {
  const given = params.map(
    ({ name, value }) => [name, typeof value === "boolean" ? Number(value) : value] as const,
  );
  const sources = manifest.params.map(
    ({ name, from }) => [from?.name ?? name, new Map(given).get(name) ?? 0] as const,
  );
  const lengths = [...inputs].map(([name, { length }]) => [lengthOf(manifest, name), length] as const);
  return new Map([...lengths, ...given, ...sources]);
}

/** One call: the arguments as bytes, and the outputs and status from what the program prints. */
function call(program: string, manifest: Manifest, prepared: Prepared): ReturnType<typeof finishRun> {
  const scalars = scalarsOf(manifest, prepared);
  const arrays = new Map(
    manifest.bindings.map((binding): [string, HostArray] => {
      const given = prepared.inputs.get(binding.name);
      const made = given?.slice() ?? new (arraySpec(binding.type).array)(elementsOf(binding, prepared));
      if (!given) raw(made as HostArray).fill(0xa5);
      return [binding.name, made as HostArray];
    }),
  );
  const args = entryArguments(manifest).map((one) => ({ ...one, name: unmarked(one.name) }));
  const input = args.flatMap(({ name, type, isPointer }) => {
    if (!isPointer) return [bytesOf(type, scalars.get(name) as number)];
    const bytes = raw(arrays.get(name) as HostArray);
    return [bytesOf("size_t", bytes.length), bytes];
  });
  const { status, stdout, stderr } = spawnSync(program, { input: Buffer.concat(input), maxBuffer: 2 ** 30 });
  if (status !== 0) throw new Error(`${manifest.pipeline} ended with ${status}\n${stderr}`);
  const result = STATUSES[stdout.readInt32LE(0)]?.[0];
  let at = 4;
  for (const { name } of args.filter(isWritten)) {
    const bytes = raw(arrays.get(name) as HostArray);
    bytes.set(stdout.subarray(at, at + bytes.length));
    at += bytes.length;
  }
  const isKnown = result === "GW_OK" || result === "GW_OUTSIDE";
  if (!isKnown) throw new Error(`${manifest.pipeline} returned ${result} for what runtimes accept`);
  const outside = result === "GW_OUTSIDE" ? new Uint32Array(64).fill(0xffffffff) : [];
  return finishRun(manifest, arrays, outside);
}

/** A runtime of such processes, without arrays on the device. */
export function processRuntime(compiler: string, options: readonly string[]): Runtime {
  const compile = async (
    source: PipelineSource,
    { keep: _, ...wanted }: CompileOptions = {},
  ): Promise<Executable> => {
    const { folder, base, manifest } = written(source, wanted);
    writeFileSync(join(folder, "main.c"), mainOf(manifest));
    const args = ["-std=c11", "-ffp-contract=off", ...options, `${base}.c`, "main.c"];
    const program = await keptProgram(compiler, args, folder);
    return {
      plan: plan(source, c, wanted),
      manifest,
      run: async (values, given) => call(program, manifest, prepareRun(manifest, values, given)),
      scratchBytes: () => 0,
      dispose: () => {},
    };
  };
  return {
    device: { target: c.name, name: "C in a process", driver: `${compiler} ${options.join(" ")}` },
    capabilities: c.capabilities,
    ...withoutArrays("every run is a process"),
    compile: compile as UntypedCompile as Runtime["compile"],
    dispose: () => {},
  };
}
