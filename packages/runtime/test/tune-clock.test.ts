/** The time of recorded work, on runtimes whose clock and waits are given. */
import { expect, test } from "vitest";
import type { Runtime } from "../src/api/runtime.ts";
import { type Busy, busyOn } from "../src/tune/busy.ts";
import { clockOf } from "../src/tune/clock.ts";

/** Busy work that can be lengthened so often; what happens is noted. */
function busyOf(lengthenings: number, events: string[]): Busy {
  let left = lengthenings;
  return {
    submit: async () => void events.push("busy"),
    warm: async () => {},
    lengthen: () => left-- > 0,
    dispose: () => {},
  };
}

/** Times work, which a device of these waits begins. */
async function timed(waits: readonly boolean[], lengthenings: number): Promise<[number, string[]]> {
  const events: string[] = [];
  let i = 0;
  const deviceTime: Runtime["deviceTime"] = async (work) => {
    await work();
    i += 1;
    return { milliseconds: 10 * i, waited: waits[i - 1] ?? false };
  };
  const clock = clockOf({ deviceTime }, () => Number.NaN);
  const milliseconds = await clock.time(busyOf(lengthenings, events), () => {
    events.push("record");
    return async () => void events.push("work");
  });
  return [milliseconds, events];
}

const ONCE = ["busy", "record", "busy", "work"];

test("work is recorded and queued behind busy work", async () => {
  expect(await timed([false], 3)).toEqual([10, ONCE]);
});

test("a time that includes a wait for the host is taken again, behind longer work", async () => {
  expect(await timed([true, true, false], 3)).toEqual([30, [...ONCE, ...ONCE, ...ONCE]]);
});

test("it is kept where the busy work is as long as it gets", async () => {
  expect(await timed([true, true, true], 1)).toEqual([20, [...ONCE, ...ONCE]]);
});

test("the host's clock starts when the busy work is done", async () => {
  const events: string[] = [];
  let now = 0;
  const pass =
    (milliseconds: number): (() => Promise<void>) =>
    async () => {
      now += milliseconds;
    };
  const busy = { ...busyOf(0, events), submit: pass(100) };
  const clock = clockOf({}, () => now);
  const milliseconds = await clock.time(busy, () => pass(7));
  expect([clock.kind, milliseconds]).toEqual(["host", 7]);
});

/** A runtime whose device runs at a share of its clock for so many submissions. */
function rising(slow: number): { readonly runtime: Runtime; readonly submissions: () => number } {
  let [submissions, items] = [0, 0];
  const recorder = () => {
    let all = 0;
    return {
      run(_: unknown, __: unknown, { n }: { n: number }) {
        all += n;
        return this;
      },
      submit: async () => {
        submissions++;
        items = all;
      },
    };
  };
  const array = { slice: () => array, dispose: () => {} };
  const runtime = {
    capabilities: { execution: "simt" },
    compile: async () => ({ dispose: () => {} }),
    array: () => array,
    record: recorder,
    deviceTime: async (work: () => Promise<void>) => {
      await work();
      return { milliseconds: (items / 2 ** 20) * (submissions < slow ? 5 : 1), waited: false };
    },
  };
  return { runtime: runtime as unknown as Runtime, submissions: () => submissions };
}

test("busy work takes 20 ms at the clock that the device reaches", async () => {
  let now = 0;
  const { runtime, submissions } = rising(14);
  const busy = await busyOn(runtime, () => {
    now += 10;
    return now;
  });
  while (submissions() < 14) await busy.submit();
  const time = await runtime.deviceTime?.(() => busy.submit());
  expect(time?.milliseconds).toBeCloseTo(20, 0);
});

test("nothing is queued on the host's own cores", async () => {
  const [none, capabilities] = [() => {}, { execution: "sequential" }];
  const runtime = { compile: none, array: none, record: none, capabilities } as unknown as Runtime;
  const busy = await busyOn(runtime, () => 0);
  await Promise.all([busy.submit(), busy.warm()]);
  expect(busy.lengthen()).toBe(false);
});
