import type { Executable, Runtime, RunValues } from "@groupwise/core";

type Ran = ReturnType<Executable["run"]>;

/** The runtime, of whose compiled pipelines each run goes through a function. */
export function aroundRuns(runtime: Runtime, around: (run: () => Ran, values: RunValues) => Ran): Runtime {
  const untyped = runtime as { compile(...given: unknown[]): Promise<Executable> };
  const compile = async (...given: unknown[]): Promise<Executable> => {
    const made = await untyped.compile(...given);
    const run: Executable["run"] = (...args) => around(() => made.run(...args), args[0]);
    return { ...made, run };
  };
  return { ...runtime, compile: compile as Runtime["compile"] };
}

/** The runtime, which logs a line `run` for each run of a compiled pipeline. */
export const logged = (runtime: Runtime, log: { push(line: string): unknown }): Runtime =>
  aroundRuns(runtime, (run) => {
    log.push("run");
    return run();
  });
