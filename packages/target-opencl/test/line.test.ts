/** How the end of queued work is waited for, on a library whose device is done when the test says so. */
import { expect, test } from "vitest";
import type { OpenCl } from "../src/driver/ffi.ts";
import { Line } from "../src/driver/line.ts";

/** The calls that wait for work: on this thread as `clFinish`, on another one as `async clFinish`. @param state of a marker */
async function waitsOf(asksFirst: boolean, state: number, marks = 0): Promise<readonly string[]> {
  const waits: string[] = [];
  const cl = {
    where: "",
    device: "a device",
    for: () => cl,
    check: () => {},
    call: () => {},
    status: (name: string, ...args: unknown[]) => {
      if (name === "clEnqueueMarkerWithWaitList") return marks;
      if (name === "clGetEventInfo") (args[3] as Int32Array)[0] = state;
      else waits.push(name);
      return 0;
    },
    callAsync: async (name: string) => {
      waits.push(`async ${name}`);
      return 0;
    },
  };
  const line = new Line(asksFirst);
  const begun = [1, 2].map((result) => line.begin(cl as unknown as OpenCl, 1n, () => result));
  expect(await Promise.all(begun.map(({ done }) => done))).toEqual([1, 2]);
  expect(line.isIdle).toBe(true);
  return waits;
}

const [COMPLETE, RUNNING, FAILED] = [0, 1, -14];
const ELSEWHERE = "async clFinish";

test("a device that is soon done is not waited for on another thread", async () => {
  expect(await waitsOf(true, COMPLETE)).toEqual(["clReleaseEvent", "clFinish"]);
  expect(await waitsOf(true, FAILED)).toEqual(["clReleaseEvent", "clFinish"]);
});

test("one that is not, or cannot be asked, is waited for there, once for all work", async () => {
  expect(await waitsOf(true, RUNNING)).toEqual(["clReleaseEvent", ELSEWHERE]);
  expect(await waitsOf(true, COMPLETE, -5)).toEqual([ELSEWHERE]);
  expect(await waitsOf(false, COMPLETE)).toEqual([ELSEWHERE]);
});
