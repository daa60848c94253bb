/** A runtime whose steps are runs of the reference: what several steps mean, bit for bit. */
import { check, type Executable, emit, plan, type Runtime } from "@groupwise/core";
import {
  HostDevice,
  type HostProgram,
  itemsIn,
  NOTHING_COMPILED,
  Owned,
  pipelineOf,
  type UntypedCompile,
} from "@groupwise/core/target";
import { js } from "@groupwise/target-js";
import { expected } from "@groupwise/testkit";

/** It takes the checks of steps and the arrays from the core, and the manifests from JavaScript's. */
export function referenceRuntime(): Runtime {
  const host = new HostDevice("the reference");
  /** By pipeline and arrays in place: trials compile the same ones again. */
  const emitted = new Map<unknown, Map<string, ReturnType<typeof emit>>>();
  const emittedOnce: typeof emit = (source, target, options) => {
    const own = emitted.get(source) ?? new Map<string, ReturnType<typeof emit>>();
    const key = JSON.stringify(options);
    const artifact = own.get(key) ?? emit(source, target, options);
    emitted.set(source, own.set(key, artifact));
    return artifact;
  };
  return {
    device: { target: "reference", name: "the reference", driver: "" },
    capabilities: js.capabilities,
    sliceAlignment: 1,
    array: (type, lengthOrValues) => host.array(type, lengthOrValues),
    record: () => host.record(),
    compile: (async (source, options) => {
      const checked = check(pipelineOf(source));
      const { manifest } = emittedOnce(source, js, { ...options });
      const homes = Object.entries(options?.inPlace ?? {});
      const homeOf = (name: string): string => homes.find(([, input]) => input === name)?.[0] ?? name;
      const run: HostProgram["run"] = ({ arrays, values }, launch) => {
        const n = itemsIn(launch);
        const inputs = [...checked.inputs, ...checked.tables].map(({ name, kind }) => {
          const array = arrays.get(homeOf(name))?.values;
          return [name, kind === "table" ? array : array?.subarray(0, n)] as const;
        });
        const given = { ...values, ...Object.fromEntries(inputs) };
        for (const [name, array] of Object.entries(
          expected(checked, given as never, { globalSize: launch.globalSize }),
        ))
          arrays.get(name)?.values.set(array as never);
      };
      const executable: Executable = {
        get plan() {
          return plan(source, js);
        },
        manifest,
        run: async (given, options) => expected(checked, given, options),
        scratchBytes: () => 0,
        dispose: () => {},
      };
      const owned = new Owned(manifest.pipeline, () => {});
      return host.add(executable, { manifest, owned, run, scratchBytes: () => 0 });
    }) as UntypedCompile as Runtime["compile"],
    stats: () => NOTHING_COMPILED,
    dispose: () => host.dispose(),
  };
}
