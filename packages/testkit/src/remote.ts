/** Checks and random cases in another process, for devices that this one cannot open. Requests and results are lines. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { DeviceInfo, Runtime } from "@groupwise/core";
import { type Check, type CheckResult, checksOf, runCheck } from "./checks/index.ts";
import type { Runner } from "./conformance.ts";
import type { FuzzReport } from "./random/fuzz.ts";
import { type FuzzRequest, fuzzingOf } from "./random/fuzzing.ts";
import type { RandomCase } from "./random/make/case.ts";
import type { FuzzRunner } from "./random/tests.ts";
import { type Effort, Subject } from "./subject/subject.ts";

/** The beginning of each line of results, because drivers print to stdout too. */
const MARK = "groupwise-check ";

/** A line of the other process's input, as JSON. */
type Request =
  | { readonly do: "device" | "end" }
  | { readonly do: "check"; readonly name: string }
  | { readonly do: "fuzz"; readonly request: FuzzRequest }
  | { readonly do: "differs"; readonly one: RandomCase };

/** The other process: executes the requests of its input until the input ends. */
export async function serveChecks(runtime: Runtime, effort: Effort, isThrifty: boolean): Promise<void> {
  const subject = new Subject(runtime, effort, isThrifty);
  const { fuzz, differs } = fuzzingOf(subject);
  const checks = new Map(checksOf(effort).map((check) => [check.name, check]));
  const check = (name: string): Promise<CheckResult> | CheckResult => {
    const one = checks.get(name);
    return one ? runCheck(one, subject) : { name, failures: [`there is no check "${name}"`] };
  };
  const answers: { [K in Request["do"]]: (request: Extract<Request, { do: K }>) => unknown } = {
    device: () => runtime.device,
    check: ({ name }) => check(name),
    fuzz: ({ request }) => fuzz(request),
    differs: ({ one }) => differs(one),
    end: () => null,
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request;
    const answer = await answers[request.do](request as never);
    process.stdout.write(`\n${MARK}${JSON.stringify(answer)}\n`);
    if (request.do === "end") break;
  }
  runtime.dispose();
}

export interface RemoteRunner extends Runner, FuzzRunner {
  /** The device that the other process has opened. */
  device(): Promise<DeviceInfo>;
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
}

/**
 * Starts a program. If a driver ends the process, the running check fails with the output of the process, and the next check
 * starts another one.
 */
export function remoteRunner(program: RemoteProgram, effort: Effort, isThrifty: boolean): RemoteRunner {
  const start = startOf(program, effort, isThrifty);
  let child = start();
  const ask = <T>(request: Request): Promise<T> => {
    if (child.hasEnded()) child = start();
    return child.ask<T>(request);
  };
  return {
    device: () => ask<DeviceInfo>({ do: "device" }),
    run: ({ name }: Check) => ask<CheckResult>({ do: "check", name }),
    fuzz: (request) => ask<FuzzReport>({ do: "fuzz", request }),
    differs: (one) => ask<string | null>({ do: "differs", one }),
    end: async () => {
      await ask({ do: "end" });
    },
  };
}

/** One process, which answers each request with a line. */
interface Child {
  ask<T>(request: Request): Promise<T>;
  hasEnded(): boolean;
}

function startOf(
  { name, command: [command, ...first], file, env }: RemoteProgram,
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
    return {
      hasEnded: () => ended !== undefined,
      ask: (request) =>
        new Promise((resolve, reject) => {
          if (ended) return reject(ended);
          waiting.push({ resolve: resolve as (data: unknown) => void, reject });
          child.stdin.write(`${JSON.stringify(request)}\n`);
        }),
    };
  };
}
