/** Programs are built, and queues waited for, on other threads, except on platforms that do not survive it. */
import { Pool } from "@groupwise/core/queue";
import { expect, test } from "vitest";
import { buildProgram } from "../src/device/build.ts";
import { OpenClDriver, type Queues } from "../src/device/driver.ts";
import type { OpenCl } from "../src/device/ffi.ts";

/** Builds three programs at once, of which the second fails. */
async function buildsOn(platform: string): Promise<{ most: number; ends: (string | number)[] }> {
  let [running, most, made] = [0, 0, 0n];
  const cl = {
    make: () => ++made,
    own: (_pool: Pool, _release: string, handle: bigint) => handle,
    callAsync: async (_: string, program: bigint) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      if (program === 2n) throw new Error("lost");
      return Number(program);
    },
  } as unknown as OpenCl;
  const device = { cl, context: 0n, device: 0n, info: { platform } };
  const builds = [1, 2, 3].map(() => buildProgram(device, new Pool(), "", ""));
  const settled = await Promise.allSettled(builds);
  const ends = settled.map((one) => (one.status === "fulfilled" ? one.value.status : one.reason.message));
  return { most, ends };
}

test("one program at a time on Oclgrind, also after one that failed", async () => {
  expect(await buildsOn("Oclgrind")).toEqual({ most: 1, ends: [1, "lost", 3] });
});

test("all at the same time on other platforms", async () => {
  expect(await buildsOn("Portable Computing Language")).toEqual({ most: 3, ends: [1, "lost", 3] });
});

for (const [platform, call] of [
  ["Oclgrind", "status"],
  ["Portable Computing Language", "callAsync"],
] as const)
  test(`the wait for a queue of ${platform} calls its library by ${call} alone`, async () => {
    const made: string[] = [];
    const cl = { status: () => made.push("status"), callAsync: async () => made.push("callAsync") };
    const queues = { info: { platform }, queue: 1n } as unknown as Queues;
    await new OpenClDriver(cl as unknown as OpenCl, queues).finishElsewhere();
    expect(made).toEqual([call]);
  });
