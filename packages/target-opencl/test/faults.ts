/** Watches the calls to the OpenCL library, and lets some of them fail. */
import { openLibrary } from "../src/device/library.ts";

type Call = ((...args: unknown[]) => unknown) & { async(...args: unknown[]): void };

export interface Faults {
  /** How often a function was called. */
  calls(name: string): number;
  /** Bytes of the buffers that were made. */
  allocated(): number;
  /** The call of that number from now on, from 1, answers CL_OUT_OF_RESOURCES; a query, that the command ended so. */
  fail(name: string, at: number): void;
  /** Takes everything back. */
  remove(): void;
}

const OUT_OF_RESOURCES = -5;

export async function injectFaults(): Promise<Faults> {
  const natives = ((await openLibrary()) as unknown as { natives: Map<string, Call> }).natives;
  const originals = new Map(natives);
  const counts = new Map<string, number>();
  let bytes = 0;
  const failures = new Map<string, number>();
  const isDue = (name: string): boolean => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const left = failures.get(name);
    if (left === undefined) return false;
    failures.set(name, left - 1);
    return left === 1;
  };
  /** How often a command is asked depends on the time; one that failed stays failed. */
  const asked = new Map<unknown, boolean>();
  const hasFailed = (event: unknown): boolean => {
    if (!asked.has(event)) asked.set(event, isDue("clGetEventInfo"));
    return asked.get(event) === true;
  };
  for (const [name, call] of originals) {
    const watched = (...args: unknown[]): unknown => {
      // Queries come in two steps; the second has the value.
      const isQuery = name === "clGetEventInfo";
      if (name === "clReleaseEvent") asked.delete(args[0]);
      if (name === "clCreateBuffer") bytes += Number(args[2]);
      if ((isQuery && args[3] === null) || !(isQuery ? hasFailed(args[0]) : isDue(name)))
        return call(...args);
      if (!isQuery) return OUT_OF_RESOURCES;
      new DataView((args[3] as Uint8Array).buffer).setInt32(0, OUT_OF_RESOURCES, true);
      return 0;
    };
    const async = (...args: unknown[]): void => {
      const answer = args.at(-1) as (error: unknown, status: number) => void;
      if (isDue(name)) setImmediate(answer, null, OUT_OF_RESOURCES);
      else call.async(...args);
    };
    natives.set(name, Object.assign(watched, { async }));
  }
  return {
    calls: (name) => counts.get(name) ?? 0,
    allocated: () => bytes,
    fail: (name, at) => void failures.set(name, at),
    remove: () => {
      for (const [name, call] of originals) natives.set(name, call);
    },
  };
}
