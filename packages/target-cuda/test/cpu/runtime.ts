/** A runtime that compiles emitted text as HIP for the CPU, and runs it in this process. */
import { type Capabilities, type HostArray, type Manifest, plan, type Runtime } from "@groupwise/core";
import { type Call, debugging, HostDevice, hostedRuntime } from "@groupwise/core/target";
import { isFullRun } from "@groupwise/testkit/conformance";
import { type Found, found, missing, runProcess } from "@groupwise/testkit/devices";
import { hostInCpp } from "../../src/host.ts";
import { cuda } from "../../src/index.ts";
import { byPasses, type Caller, ENTRY, groupsOf } from "./callers.ts";
import { libraryOf } from "./compile.ts";

type Entry = (arrays: unknown[], bytes: Float64Array, scalars: Uint8Array, groups: Uint32Array) => number;

const NOTHING = new Uint8Array(16);

function callOf(manifest: Manifest, entry: Entry, caller: Caller): Call {
  return (launch, arrays) => {
    const given = manifest.bindings.map(({ name }) => arrays.get(name) as HostArray);
    const error = entry(
      given.map((array) => (array.length > 0 ? array : NOTHING)),
      Float64Array.from([...given.map(({ byteLength }) => byteLength), 0]),
      caller.scalars(manifest, launch),
      groupsOf(manifest, launch),
    );
    if (error !== 0) throw new Error(`${manifest.pipeline} returned ${error} for what runtimes accept`);
  };
}

export interface CpuOptions {
  readonly capabilities?: Capabilities;
  readonly debug?: boolean;
  /** Work-items of a wave, which number the lanes. */
  readonly wave?: 32 | 64;
  readonly caller?: Caller;
  readonly options?: readonly string[];
}

/** The runtime; missing without g++. */
export async function onCpu(given: CpuOptions = {}): Promise<Found<Runtime>> {
  const { wave = 32, debug, caller = byPasses, options = [isFullRun() ? "-O1" : "-O0"] } = given;
  const probe = await runProcess("g++", ["--version"]).catch(() => undefined);
  if (probe?.code !== 0) return missing("g++ is not installed");
  const { default: koffi } = await import("koffi");
  const capabilities = debugging(given.capabilities ?? cuda.capabilities, debug);
  return found(
    hostedRuntime({
      device: { target: cuda.name, name: `HIP on the CPU, waves of ${wave}`, driver: "g++" },
      capabilities,
      host: new HostDevice("HIP on the CPU"),
      debug,
      make: async (source, wanted) => {
        const lowered = plan(source, cuda, { ...wanted, capabilities });
        const artifact = cuda.print(lowered, {});
        const { manifest } = artifact;
        const files = [...hostInCpp(artifact), ...artifact.files];
        const called = files.find(
          ({ path }) =>
            path === (caller === byPasses ? manifest.passes[0]?.file : `gw_${manifest.pipeline}.cu`),
        );
        const text = `#include <hip/hip_runtime.h>\n${called ? `#include "${called.path}"` : ""}\n${caller.text(manifest)}`;
        const path = await libraryOf(
          [{ path: "run.cpp", text }, ...files],
          [`-DGROUPWISE_WAVE=${wave}`, ...options],
        );
        const library = koffi.load(path);
        const entry = library.func(ENTRY, "int", ["void **", "void *", "void *", "void *"]);
        const call = callOf(manifest, entry as unknown as Entry, caller);
        return { plan: lowered, manifest, call, free: () => library.unload() };
      },
    }),
  );
}
