/** Checks in another process, for devices that this one cannot open: names go in by line, results come out. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { DeviceInfo, Runtime } from "@groupwise/core";
import { type Check, type CheckResult, checksOf, runCheck } from "./checks/index.ts";
import type { Runner } from "./conformance.ts";
import { orThrow } from "./devices/found.ts";
import { findOpenCl, type OpenClPlatform } from "./devices/opencl.ts";
import { type Effort, Subject } from "./subject.ts";

/** Drivers print to stdout too: a line of ours begins like this. */
const MARK = "groupwise-check ";
const END = "end";
const DEVICE = "device";

/** The other process's side: runs the checks that it is told, until its input ends. */
export async function serveChecks(runtime: Runtime, effort: Effort, isThrifty: boolean): Promise<void> {
  const subject = new Subject(runtime, effort, isThrifty);
  const checks = new Map(checksOf(effort).map((check) => [check.name, check]));
  const say = (data: unknown): void => {
    process.stdout.write(`\n${MARK}${JSON.stringify(data)}\n`);
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const name = JSON.parse(line) as string;
    if (name === END) break;
    if (name === DEVICE) {
      say(runtime.device);
      continue;
    }
    const check = checks.get(name);
    say(check ? await runCheck(check, subject) : { name, failures: [`there is no check "${name}"`] });
  }
  const { flushes, note } = await subject.flushes();
  say(flushes ? note : "");
  runtime.dispose();
}

export interface RemoteRunner extends Runner {
  /** What the other process has opened. */
  device(): Promise<DeviceInfo>;
}

/**
 * Starts a Node program that calls {@link serveChecks} with what its arguments say, on one OpenCL platform. A driver that
 * ends the process fails the check that was under way, with what it printed; the next one starts another process.
 * @throws DeviceMissingError
 */
export function remoteRunner(
  platform: OpenClPlatform,
  program: string,
  effort: Effort,
  isThrifty: boolean,
): RemoteRunner {
  const start = startOf(platform, program, effort, isThrifty);
  let child = start();
  const ask = <T>(line: string): Promise<T> => {
    if (child.hasEnded()) child = start();
    return child.ask<T>(line);
  };
  return {
    device: () => ask<DeviceInfo>(DEVICE),
    run: ({ name }: Check) => ask<CheckResult>(name),
    end: async () => (await ask<string>(END)) || undefined,
  };
}

/** One process, which answers line by line. */
interface Child {
  ask<T>(line: string): Promise<T>;
  hasEnded(): boolean;
}

function startOf(platform: OpenClPlatform, program: string, effort: Effort, isThrifty: boolean): () => Child {
  const { env, command: line } = orThrow(findOpenCl(platform));
  const [command, ...first] = line;
  const args = [...first, program, effort, isThrifty ? "thrifty" : ""];
  return () => {
    const child = spawn(command, args, { env: { ...process.env, ...env } });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-4000);
    });
    child.stdin.on("error", () => {}); // it may have ended: that is told below
    const waiting: { resolve(data: unknown): void; reject(error: Error): void }[] = [];
    let ended: Error | undefined;
    const end = (why: string): void => {
      ended ??= new Error(`${program} on ${platform} ${why}${errors ? `: ${errors.trim()}` : ""}`);
      for (const { reject } of waiting.splice(0)) reject(ended);
    };
    child.on("error", (error) => end(error.message));
    child.on("close", (code, signal) => end(`ended with ${code ?? signal}`));
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.startsWith(MARK)) waiting.shift()?.resolve(JSON.parse(line.slice(MARK.length)));
    });
    return {
      hasEnded: () => ended !== undefined,
      ask: (line) =>
        new Promise((resolve, reject) => {
          if (ended) return reject(ended);
          waiting.push({ resolve: resolve as (data: unknown) => void, reject });
          child.stdin.write(`${JSON.stringify(line)}\n`);
        }),
    };
  };
}
