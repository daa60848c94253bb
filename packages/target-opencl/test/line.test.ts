/** How the end of queued work is waited for, on a library whose device is done when the test says so. */
import { expect, test } from "vitest";
import type { OpenCl } from "../src/device/ffi.ts";
import { Line } from "../src/device/line.ts";

interface Library {
  readonly asksFirst: boolean;
  /** The status of a marker. */
  readonly state: number;
  /** What the query of it answers. */
  readonly query?: number;
  /** How often other threads must run before the device is done; by default it stays as it is. */
  readonly needs?: number;
}

/** The calls that wait for work, on this thread as `clFinish`, on another one as `async clFinish`, and what the work answers. */
async function waitsOf({
  asksFirst,
  state,
  query = 0,
  needs = Infinity,
}: Library): Promise<readonly unknown[]> {
  const waits: unknown[] = [];
  let marks = 0n;
  let turns = 0;
  const cl = {
    where: "",
    device: "a device",
    for: () => cl,
    check: (_: string, code: number) => {
      if (code !== 0) throw code;
    },
    call: (name: string, ...args: unknown[]) => {
      if (name === "clEnqueueMarkerWithWaitList") (args[3] as BigUint64Array)[0] = ++marks;
    },
    status: (name: string, ...args: unknown[]) => {
      if (name === "clReleaseEvent") marks--;
      else if (name !== "clGetEventInfo") waits.push(name);
      else if (query === 0) (args[3] as Int32Array)[0] = turns < needs ? state : COMPLETE;
      return name === "clGetEventInfo" ? query : 0;
    },
    letOthersRun: () => {
      turns++;
    },
    callAsync: async (name: string) => {
      waits.push(`async ${name}`);
      return 0;
    },
  };
  const line = new Line(asksFirst);
  const begun = [1, 2].map((result) => line.begin(cl as unknown as OpenCl, 1n, () => result));
  const done = await Promise.all(begun.map((one) => one.done.catch((code: number) => code)));
  expect([line.isIdle, marks]).toEqual([true, 0n]);
  return [...waits, ...done];
}

const [COMPLETE, RUNNING, FAILED] = [0, 1, -14];
const ELSEWHERE = "async clFinish";

test("a device that is soon done is not waited for on another thread", async () => {
  expect(await waitsOf({ asksFirst: true, state: COMPLETE })).toEqual(["clFinish", 1, 2]);
});

test("while a device is asked, other threads run", async () => {
  expect(await waitsOf({ asksFirst: true, state: RUNNING, needs: 3 })).toEqual(["clFinish", 1, 2]);
});

test("one that is not, or is not asked, is waited for there, once for all work", async () => {
  expect(await waitsOf({ asksFirst: true, state: RUNNING })).toEqual([ELSEWHERE, 1, 2]);
  expect(await waitsOf({ asksFirst: false, state: COMPLETE })).toEqual([ELSEWHERE, 1, 2]);
});

test("work that failed, or cannot be asked, is an error after the wait", async () => {
  expect(await waitsOf({ asksFirst: true, state: FAILED })).toEqual(["clFinish", FAILED, FAILED]);
  expect(await waitsOf({ asksFirst: false, state: FAILED })).toEqual([ELSEWHERE, FAILED, FAILED]);
  expect(await waitsOf({ asksFirst: false, state: COMPLETE, query: -5 })).toEqual([ELSEWHERE, -5, -5]);
});
