/** What the examples share: what they are given, and how they run a pipeline. */
import type { Runtime, Scalar } from "@groupwise/core";
import type { InferOutputs, InferValues, PipelineDefinition } from "@groupwise/dsl";

/** What an example is given: `npm run example -- NAME [FILE[:COLUMN]] [--target wgsl]`. */
export interface Session {
  /** JavaScript's, or that of the target that was asked for. */
  readonly runtime: Runtime;
  /** The bytes of the file. */
  readonly bytes: Uint8Array;
  /** The column that was asked for. */
  readonly column: string;
  print(line: string): void;
}

/** An example as a module. */
export interface Example<Result = unknown> {
  /** Which file it takes where none is named, from this folder, and which column. */
  readonly source: string;
  /** Prints what it finds, and returns it. */
  main(session: Session): Promise<Result>;
}

/** Fields as one line, line breaks within them left out. */
export const oneLine = (fields: readonly string[]): string => fields.join(" | ").replace(/\s+/g, " ");

type Declared = Pick<PipelineDefinition, "ir"> & {
  readonly inputs: Readonly<Record<string, Scalar>>;
  readonly params: Readonly<Record<string, Scalar>>;
  readonly tables: Readonly<Record<string, Scalar>>;
  readonly outputs: Readonly<Record<string, Scalar>>;
};

/** Compiles a pipeline, runs it once on arrays of the host, and gives its outputs with their types. */
export async function run<P extends Declared>(
  runtime: Runtime,
  definition: P,
  values: InferValues<P>,
): Promise<InferOutputs<P>> {
  const executable = await runtime.compile(definition.ir);
  try {
    return (await executable.run(values as never)) as InferOutputs<P>;
  } finally {
    executable.dispose();
  }
}
