/** The program of a worker. */

/** A message to a worker: a call of loops, with their code if the worker does not have it, or code to free. */
export interface WorkerMessage {
  /** Of the loops. */
  readonly id: number;
  /** Of the loops, if the worker does not have it yet. */
  readonly code?: unknown;
  /** The number of the call; absent if the code is freed. */
  readonly call?: number;
  readonly args?: readonly unknown[];
}

/** From a worker: a call is done. */
export interface WorkerAnswer {
  readonly call: number;
  /** The error that it threw. */
  readonly problem?: string;
  /** True if the engine refused to evaluate the text. */
  readonly isPolicy?: boolean;
}

/**
 * A script, not a module file: a bundler need not find it, and Node runs it as a script or as a module. In Node it has a port, in
 * a page's worker it is the global object.
 * @param make the text of a function that makes loops of their code
 */
export const workerText = (make: string): string => `"use strict";
const make = ${make};
const kernels = new Map();
const answerOf = ({ id, code, call, args }) => {
  if (call === undefined) return void kernels.delete(id);
  try {
    if (code !== undefined) kernels.set(id, make(code));
    kernels.get(id)(...args);
    return { call };
  } catch (error) {
    return { call, problem: String(error?.message ?? error), isPolicy: error instanceof EvalError };
  }
};
const port = globalThis.process?.getBuiltinModule?.("node:worker_threads").parentPort;
const reply = (order) => {
  const answer = answerOf(order);
  if (answer) (port ?? globalThis).postMessage(answer);
};
if (port) port.on("message", reply);
else {
  globalThis.onmessage = ({ data }) => reply(data);
  globalThis.postMessage("started");
}
`;
