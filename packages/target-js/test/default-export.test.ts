/** The function of emitted modules that people call, run through the suite: it gives what the runtime gives. */
import type { Executable, RunOptions, RunOutputs, Runtime, RunValues } from "@groupwise/core";
import type { UntypedCompile } from "@groupwise/core/target";
import { CASES } from "@groupwise/testkit";
import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { js } from "../src/index.ts";
import { jsRuntime } from "../src/runtime.ts";

type Entry = (values: RunValues, options?: RunOptions) => RunOutputs;

/** A runtime whose runs call the default export; what that refuses, the runtime refuses with a code. */
function byDefaultExport(): Runtime {
  const runtime = jsRuntime();
  const compile: UntypedCompile = async (source, wanted): Promise<Executable> => {
    const executable = await runtime.compile(source, wanted);
    const text = js.print(executable.plan, {}).files[0]?.text ?? "";
    const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { default: Entry };
    return {
      ...executable,
      run: async (values, options) => {
        try {
          return module.default(values, options);
        } catch (error) {
          await executable.run(values, options);
          throw error;
        }
      },
    };
  };
  return { ...runtime, compile: compile as Runtime["compile"] };
}

const names = new Set(CASES.map(({ name, covers }) => `${name}: ${covers}`));
conformance("the default export of emitted JavaScript", () => found(byDefaultExport()), {
  ...(isFullRun() ? {} : { effort: "quick" }),
  only: (name) => names.has(name),
  share: "sample",
});
