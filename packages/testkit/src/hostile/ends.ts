/** The results of hostile calls, and the pipelines of their tests. */
import { type Executable, GroupwiseError, type PipelineSource, type Runtime } from "@groupwise/core";
import { f32, param, pipeline } from "@groupwise/dsl";

export const scaled: PipelineSource = pipeline("scaled", { x: f32, k: param(f32) }, ({ x, k }) => ({
  y: x.mul(k),
}));
export const constant: PipelineSource = pipeline("constant", { k: param(f32) }, ({ k }) => ({
  y: k.perItem(),
}));

/** The result of a call: the code of its error, or a description of another result. */
export async function endOf(call: () => unknown): Promise<string> {
  try {
    await call();
    return "no error";
  } catch (error) {
    if (error instanceof GroupwiseError) return error.code;
    return `bare ${String(error)}`;
  }
}

/** Results of calls, by name. */
export async function endsOf(
  calls: Readonly<Record<string, () => unknown>>,
): Promise<Record<string, string>> {
  const ends: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) ends[name] = await endOf(call);
  return ends;
}

export const codes = (table: Readonly<Record<string, readonly [unknown, string]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([name, [, code]]) => [name, code]));

export type Calls = Readonly<Record<string, () => unknown>>;

/** A runtime with both pipelines compiled. */
export interface Ready {
  readonly runtime: Runtime;
  readonly scale: Executable;
  readonly fill: Executable;
}

/** A test on the runtime that is opened once for all of them. */
export type On = (name: string, body: (ready: Ready) => Promise<void>) => void;
