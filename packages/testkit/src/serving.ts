/** Checks and random cases for a device in another process or in a page. Requests and answers are plain data. */
import type { Capabilities, DeviceInfo, Runtime } from "@groupwise/core";
import { type Check, type CheckResult, checksOf, runCheck } from "./checks/index.ts";
import { type CompileRequest, type Compiling, compiling } from "./compiling.ts";
import type { Runner } from "./conformance.ts";
import type { Opened } from "./opening.ts";
import type { FuzzReport } from "./random/fuzz.ts";
import { type FuzzRequest, fuzzingOf } from "./random/fuzzing.ts";
import type { RandomCase } from "./random/make/case.ts";
import type { FuzzRunner } from "./random/tests.ts";
import { type Effort, Subject } from "./subject/subject.ts";

export type ServedRequest =
  | { readonly do: "opened" | "probe" | "state" | "end" }
  | { readonly do: "check"; readonly name: string }
  | { readonly do: "fuzz"; readonly request: FuzzRequest }
  | { readonly do: "differs"; readonly one: RandomCase }
  | { readonly do: "compile"; readonly request: CompileRequest };

/** What the other side knows of its device so far. */
export interface RemoteState {
  readonly device: DeviceInfo;
  readonly capabilities: Capabilities;
}

/** What was measured when the device was opened. */
export type OpenedFacts = Omit<Opened, "runtime">;

/** Answers requests by a runtime. @param more checks beside those of the suite */
export function answersOf(
  runtime: Runtime,
  effort: Effort,
  isThrifty: boolean,
  opened?: OpenedFacts,
  more: readonly Check[] = [],
): (request: ServedRequest) => Promise<unknown> {
  const subject = new Subject(runtime, effort, isThrifty);
  const { fuzz, differs } = fuzzingOf(subject);
  const checks = new Map([...checksOf(effort), ...more].map((check) => [check.name, check]));
  const check = (name: string): Promise<CheckResult> | CheckResult => {
    const one = checks.get(name);
    return one ? runCheck(one, subject) : { name, failures: [`there is no check "${name}"`] };
  };
  const answers: { [K in ServedRequest["do"]]: (request: Extract<ServedRequest, { do: K }>) => unknown } = {
    opened: () => opened,
    probe: () => runtime.probe?.(),
    state: (): RemoteState => ({ device: runtime.device, capabilities: runtime.capabilities }),
    check: ({ name }) => check(name),
    fuzz: ({ request }) => fuzz(request),
    differs: ({ one }) => differs(one),
    compile: ({ request }) => compiling(subject, request),
    end: () => runtime.dispose(),
  };
  return async (request) => (await answers[request.do](request as never)) ?? null;
}

export type Ask = <T>(request: ServedRequest) => Promise<T>;

/** A device that another process or a page has opened. */
export interface RemoteRunner extends Runner, FuzzRunner {
  /** Null where the other side does not measure it. */
  opened(): Promise<OpenedFacts | null>;
  /** Asks the device every row of the table of probes. */
  probe(): Promise<void>;
  state(): Promise<RemoteState>;
  compile(request: CompileRequest): Promise<Compiling>;
}

/** @param ask a request of the other side */
export const runnerOf = (ask: Ask): RemoteRunner => ({
  opened: () => ask<OpenedFacts | null>({ do: "opened" }),
  probe: async () => {
    await ask({ do: "probe" });
  },
  state: () => ask<RemoteState>({ do: "state" }),
  compile: (request) => ask<Compiling>({ do: "compile", request }),
  run: ({ name }: Check) => ask<CheckResult>({ do: "check", name }),
  fuzz: (request) => ask<FuzzReport>({ do: "fuzz", request }),
  differs: (one) => ask<string | null>({ do: "differs", one }),
  end: async () => {
    await ask({ do: "end" });
  },
});
