/** The time of compiling something and running it once. */
import type { Artifact, Runtime } from "@groupwise/core";
import type { QueueRuntime } from "@groupwise/core/queue";
import { CASES } from "./cases/index.ts";
import { difference } from "./data/arrays.ts";
import type { Subject } from "./subject/subject.ts";
import { stopwatch, type Took } from "./took.ts";

/** A case of the suite; or files of any text, for runtimes that load them: over the array `x` of f32 they write `y`. */
export type CompileRequest =
  | { readonly case: string }
  | { readonly artifact: Artifact; readonly x: readonly number[]; readonly y: readonly number[] };

export interface Compiling {
  readonly took: Took;
  /** How the results differ from what they must be. */
  readonly wrong: readonly string[];
}

const LENGTH = 100;

async function compileCase(subject: Subject, name: string): Promise<Compiling> {
  const one = CASES.find(({ ir }) => ir.name === name);
  if (!one) throw new Error(`there is no case "${name}"`);
  const [values, options] = [one.values(LENGTH, 0), { n: LENGTH }];
  const took = stopwatch();
  const compiled = await subject.compile(one.ir);
  await compiled.run(values, options);
  const time = took();
  const differences = await subject.compare(one.ir, values, options);
  await subject.release();
  return { took: time, wrong: Object.entries(differences).map(([output, text]) => `${output}${text}`) };
}

async function compileFiles(
  runtime: Runtime,
  { artifact, x, y }: Extract<CompileRequest, { artifact: Artifact }>,
): Promise<Compiling> {
  const took = stopwatch();
  const program = await (runtime as QueueRuntime).load(artifact);
  const outputs = await program.run({ x: Float32Array.from(x) } as never);
  const time = took();
  program.dispose();
  const found = difference("f32", (outputs as { y: Float32Array }).y, Float32Array.from(y));
  return { took: time, wrong: found ? [found.text] : [] };
}

/** What is probed was probed before. */
export async function compiling(subject: Subject, request: CompileRequest): Promise<Compiling> {
  await subject.runtime.probe?.();
  return "case" in request ? compileCase(subject, request.case) : compileFiles(subject.runtime, request);
}
