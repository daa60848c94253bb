/** Runtimes that compile emitted text as HIP for the CPU, and run it in this process. */
import { type HostArray, type Manifest, plan, type Runtime } from "@groupwise/core";
import { type Call, HostDevice, hostedRuntime } from "@groupwise/core/target";
import { type Found, found, missing, runProcess } from "@groupwise/testkit/devices";
import { hostInCpp } from "../../src/host.ts";
import { cuda } from "../../src/index.ts";
import { type CudaOptions, type CudaRuntime, cudaRuntime } from "../../src/runtime.ts";
import { type Caller, ENTRY } from "./callers.ts";
import { libraryOf } from "./compile.ts";
import { librariesOnCpu } from "./libraries.ts";

type Entry = (arrays: unknown[], bytes: Float64Array, scalars: Uint8Array) => number;

const NOTHING = new Uint8Array(16);

function callOf(manifest: Manifest, entry: Entry, caller: Caller): Call {
  return (launch, arrays) => {
    const given = manifest.bindings.map(({ name }) => arrays.get(name) as HostArray);
    const error = entry(
      given.map((array) => (array.length > 0 ? array : NOTHING)),
      Float64Array.from([...given.map(({ byteLength }) => byteLength), 0]),
      caller.scalars(manifest, launch),
    );
    if (error !== 0) throw new Error(`${manifest.pipeline} returned ${error} for what runtimes accept`);
  };
}

/** The runtime of CUDA over libraries of its driver and compiler on the CPU; missing without g++. @param wave work-items of a wave, which number the lanes */
export async function onCpu({
  wave = 32,
  ...options
}: Omit<CudaOptions, "device"> & { readonly wave?: 32 | 64 } = {}): Promise<Found<CudaRuntime>> {
  const libraries = await librariesOnCpu();
  if (!libraries.found) return libraries;
  const { default: koffi } = await import("koffi");
  Object.assign(process.env, libraries.value.env);
  // Later ones of their names are these.
  for (const file of libraries.value.files) koffi.load(file);
  return found(await cudaRuntime({ ...options, device: wave === 32 ? 0 : 1 }));
}

/** The function for C++ of each pipeline; missing without g++. */
export async function functionOnCpu(caller: Caller, wave: 32 | 64 = 32): Promise<Found<Runtime>> {
  const probe = await runProcess("g++", ["--version"]).catch(() => undefined);
  if (probe?.code !== 0) return missing("g++ is not installed");
  const { default: koffi } = await import("koffi");
  const { capabilities } = cuda;
  return found(
    hostedRuntime({
      device: { target: cuda.name, name: `HIP on the CPU, waves of ${wave}`, driver: "g++" },
      capabilities,
      host: new HostDevice("HIP on the CPU"),
      debug: undefined,
      make: async (source, wanted) => {
        const lowered = plan(source, cuda, { ...wanted, capabilities });
        const artifact = cuda.print(lowered, {});
        const { manifest } = artifact;
        const text = `#include <hip/hip_runtime.h>\n#include "gw_${manifest.pipeline}.cu"\n${caller.text(manifest)}`;
        const path = await libraryOf(
          [{ path: "run.cpp", text }, ...hostInCpp(artifact), ...artifact.files],
          [`-DGROUPWISE_WAVE=${wave}`],
        );
        const library = koffi.load(path);
        const entry = library.func(ENTRY, "int", ["void **", "void *", "void *"]);
        const call = callOf(manifest, entry as unknown as Entry, caller);
        return { plan: lowered, manifest, call, free: () => library.unload() };
      },
    }),
  );
}
