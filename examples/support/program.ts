/** Shared code of the examples: their arguments, and how they run a pipeline. */
import type { InferOutputs, InferValues, PipelineSource, Runtime } from "@groupwise/core";

/** The arguments of an example: `npm run example -- NAME [FILE[:COLUMN]] [--target wgsl]`. */
export interface Session {
  /** JavaScript's, or that of the requested target. */
  readonly runtime: Runtime;
  /** The bytes of the file. */
  readonly bytes: Uint8Array;
  /** The requested column. */
  readonly column: string;
  print(line: string): void;
}

/** An example as a module. */
export interface Example<Result = unknown> {
  /** The default file, from this folder, and its column. */
  readonly source: string;
  /** Prints what it finds, and returns it. */
  main(session: Session): Promise<Result>;
}

/** Fields as one line, without the line breaks within them. */
export const oneLine = (fields: readonly string[]): string => fields.join(" | ").replace(/\s+/g, " ");

/** Compiles a pipeline, runs it once on arrays of the host, and returns its outputs with their types. */
export async function run<P extends PipelineSource>(
  runtime: Runtime,
  definition: P,
  values: InferValues<P>,
): Promise<InferOutputs<P>> {
  const executable = await runtime.compile(definition);
  try {
    return await executable.run(values);
  } finally {
    executable.dispose();
  }
}
