import type { Runtime } from "@groupwise/core";

/** The runtime, which logs a line `run` for each run of a compiled pipeline. */
export function logged(runtime: Runtime, log: { push(line: string): unknown }): Runtime {
  const untyped = runtime as { compile(...given: unknown[]): ReturnType<Runtime["compile"]> };
  const compile = async (...given: unknown[]): Promise<unknown> => {
    const executable = await untyped.compile(...given);
    const run = (...values: Parameters<typeof executable.run>): ReturnType<typeof executable.run> => {
      log.push("run");
      return executable.run(...values);
    };
    return { ...executable, run };
  };
  return { ...runtime, compile: compile as Runtime["compile"] };
}
