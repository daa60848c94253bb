/** Checks and random cases in another process, for devices that this one cannot open. Requests and answers are lines. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Runtime } from "@groupwise/core";
import type { Check } from "./checks/index.ts";
import { HANGING_MS } from "./devices/process.ts";
import { answersOf, type OpenedFacts, type RemoteRunner, runnerOf, type ServedRequest } from "./serving.ts";
import type { Effort } from "./subject/subject.ts";

export type { CompileRequest } from "./compiling.ts";
export { type Open, openedFor } from "./opening.ts";
export type { RemoteRunner, RemoteState } from "./serving.ts";
export type { Took } from "./took.ts";
export { openWeb } from "./web/device.ts";

/** The beginning of each line of answers, because drivers print to stdout too. */
const MARK = "groupwise-check ";

/** The other process: executes the requests of its input until the input ends. The runtime ends with them. */
export async function serveChecks(
  runtime: Runtime,
  effort: Effort,
  isThrifty: boolean,
  opened?: OpenedFacts,
  more: readonly Check[] = [],
): Promise<void> {
  const answer = answersOf(runtime, effort, isThrifty, opened, more);
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as ServedRequest;
    process.stdout.write(`\n${MARK}${JSON.stringify(await answer(request))}\n`);
    if (request.do === "end") return;
  }
  runtime.dispose();
}

/** How to start a program that calls {@link serveChecks} according to its last two arguments. */
export interface RemoteProgram {
  /** For errors. */
  readonly name: string;
  /** The engine and its first arguments. */
  readonly command: readonly [string, ...string[]];
  /** The file of the program. */
  readonly file: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for an answer, {@link HANGING_MS} when not given; then the process is killed. */
  readonly timeoutMs?: number;
}

/**
 * Starts a program. If a driver ends the process, or it does not answer in time, the running check fails with the output of the process, and
 * the next check starts another one. After `end`, too.
 */
export function remoteRunner(program: RemoteProgram, effort: Effort, isThrifty: boolean): RemoteRunner {
  const start = startOf(program, effort, isThrifty);
  let child = start();
  const runner = runnerOf(<T>(request: ServedRequest): Promise<T> => {
    if (child.hasEnded()) child = start();
    return child.ask<T>(request);
  });
  return { ...runner, end: async () => (child.hasEnded() ? undefined : runner.end()) };
}

/** One process, which answers each request with a line. */
interface Child {
  ask<T>(request: ServedRequest): Promise<T>;
  hasEnded(): boolean;
}

function startOf(
  { name, command: [command, ...first], file, env, timeoutMs = HANGING_MS }: RemoteProgram,
  effort: Effort,
  isThrifty: boolean,
): () => Child {
  const args = [...first, file, effort, isThrifty ? "thrifty" : ""];
  return () => {
    const child = spawn(command, args, { env: { ...process.env, ...env } });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-4000);
    });
    child.stdin.on("error", () => {}); // it may have ended: that is reported below
    const waiting: { resolve(data: unknown): void; reject(error: Error): void }[] = [];
    let ended: Error | undefined;
    const end = (why: string): void => {
      ended ??= new Error(`${name} ${why}${errors ? `: ${errors.trim()}` : ""}`);
      for (const { reject } of waiting.splice(0)) reject(ended);
    };
    child.on("error", (error) => end(error.message));
    child.on("close", (code, signal) => end(`ended with ${code ?? signal}`));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith(MARK)) waiting.shift()?.resolve(JSON.parse(line.slice(MARK.length)));
    });
    const kill = (): void => {
      end(`did not answer within ${timeoutMs / 1000} s`);
      child.kill("SIGKILL");
    };
    return {
      hasEnded: () => ended !== undefined,
      ask: <T>(request: ServedRequest) => {
        if (ended) return Promise.reject(ended);
        const timer = setTimeout(kill, timeoutMs);
        const answer = new Promise<T>((resolve, reject) => {
          waiting.push({ resolve: resolve as (data: unknown) => void, reject });
          child.stdin.write(`${JSON.stringify(request)}\n`);
        });
        return answer.finally(() => {
          clearTimeout(timer);
          if (request.do === "end") end("was told to end");
        });
      },
    };
  };
}
