/** The program of a worker. */

/** A message to a worker: a call of loops, with their code if the worker does not have it, or code to free. */
export interface WorkerMessage {
  /** Of the loops. */
  readonly id: number;
  /** The body of a function that returns the module's `kernel`, if the worker does not have it yet. */
  readonly text?: string;
  /** The number of the call; absent if the code is freed. */
  readonly call?: number;
  readonly args?: readonly unknown[];
}

/** From a worker: a call is done. */
export interface Answer {
  readonly call: number;
  /** The error that it threw. */
  readonly problem?: string;
  /** True if the engine refused to evaluate the text. */
  readonly isPolicy?: boolean;
}

/**
 * A script, not a module file: a bundler need not find it, and Node runs it as a script or as a module. In Node it has a port, in
 * a page's worker it is the global object.
 */
export const WORKER_TEXT = `"use strict";
const kernels = new Map();
const answerOf = ({ id, text, call, args }) => {
  if (call === undefined) return void kernels.delete(id);
  try {
    if (text !== undefined) kernels.set(id, new Function(text)().kernel);
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
else globalThis.onmessage = ({ data }) => reply(data);
`;
