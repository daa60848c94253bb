/** How the end of queued work is waited for, on a device that is done when the test says so. */
import { expect, test } from "vitest";
import type { Driver, Marker } from "../src/queue/driver.ts";
import { Line } from "../src/queue/line.ts";

interface Device {
  readonly asksFirst: boolean;
  /** How often other threads must run before the device is done; by default it is not while it is asked. */
  readonly needs?: number;
  /** What the check of its markers throws. */
  readonly failure?: string;
  /** What the wait on another thread returns. */
  readonly status?: number;
}

/** The device's driver; it notes its waits, on this thread as `here`, on another one as `elsewhere`. */
function driverOf({ needs = Infinity, failure, status = 0 }: Omit<Device, "asksFirst">) {
  const waits: unknown[] = [];
  let [live, turns, time] = [0, 0, 0];
  const marker: Marker = {
    isEnded: () => turns >= needs,
    check: () => {
      if (failure !== undefined) throw failure;
    },
    release: () => void live--,
  };
  const driver = {
    where: "",
    for: () => driver,
    mark: () => {
      live++;
      return marker;
    },
    flush: () => {},
    finish: () => {
      waits.push("here");
      return 0;
    },
    finishElsewhere: async () => {
      waits.push("elsewhere");
      return status;
    },
    check: (_call: string, code: number) => {
      if (code !== 0) throw code;
    },
    now: () => (time += 0.01),
    defer: (act: () => void) => void Promise.resolve().then(act),
    letOthersRun: () => void turns++,
  };
  return { driver: driver as unknown as Driver, waits, live: () => live, turns: () => turns };
}

/** The waits for the work, and what it answers. */
async function waitsOf({ asksFirst, ...device }: Device): Promise<readonly unknown[]> {
  const { driver, waits, live } = driverOf(device);
  const line = new Line(asksFirst);
  const begun = [1, 2].map((result) => line.begin(driver, () => result));
  const done = await Promise.all(begun.map((one) => one.done.catch((error: unknown) => error)));
  expect([line.isIdle, live()]).toEqual([true, 0]);
  return [...waits, ...done];
}

test("a device that is soon done is not waited for on another thread", async () => {
  expect(await waitsOf({ asksFirst: true, needs: 0 })).toEqual(["here", 1, 2]);
});

test("while a device is asked, other threads run", async () => {
  expect(await waitsOf({ asksFirst: true, needs: 3 })).toEqual(["here", 1, 2]);
});

test("one that is not, or is not asked, is waited for there, once for all work", async () => {
  expect(await waitsOf({ asksFirst: true })).toEqual(["elsewhere", 1, 2]);
  expect(await waitsOf({ asksFirst: false, needs: 0 })).toEqual(["elsewhere", 1, 2]);
});

test("work that failed is an error after the wait", async () => {
  const failure = "lost";
  expect(await waitsOf({ asksFirst: true, needs: 0, failure })).toEqual(["here", failure, failure]);
  expect(await waitsOf({ asksFirst: false, failure })).toEqual(["elsewhere", failure, failure]);
});

test("a wait that fails is repeated on this thread, and is an error", async () => {
  expect(await waitsOf({ asksFirst: false, status: -5 })).toEqual(["elsewhere", "here", "here", -5, -5]);
});

/** The waits for a marker while steps are queued, and their result. @param until as of `pass` */
async function passOf(
  device: Omit<Device, "asksFirst">,
  until: number = Infinity,
): Promise<readonly unknown[]> {
  const { driver, waits, live } = driverOf(device);
  const line = new Line(false);
  const marker = line.mark(driver);
  try {
    await line.pass(driver, marker, until);
  } catch (error) {
    waits.push(error);
  }
  expect(live()).toBe(0);
  return waits;
}

test("steps are queued at once after a marker that the device soon passes, whatever the device", async () => {
  expect(await passOf({ needs: 0 })).toEqual([]);
  expect(await passOf({ needs: 3 })).toEqual([]);
  const { driver, turns } = driverOf({ needs: 3 });
  const line = new Line(false);
  expect(line.pass(driver, line.mark(driver), Infinity)).toBeUndefined();
  expect(turns()).toBe(3);
});

test("this thread gives way after a short time, and at once when its turn is over", async () => {
  expect(await passOf({})).toEqual(["elsewhere"]);
  expect(await passOf({ needs: 0 }, 0)).toEqual(["elsewhere"]);
  const { driver, turns } = driverOf({});
  const line = new Line(false);
  await line.pass(driver, line.mark(driver), Infinity);
  // Of 0.01 ms each.
  expect(turns()).toBeLessThan(50);
});

test("a failure before the marker, or of the wait, is an error", async () => {
  expect(await passOf({ needs: 0, failure: "lost" })).toEqual(["lost"]);
  expect(await passOf({ failure: "lost" })).toEqual(["elsewhere", "lost"]);
  expect(await passOf({ status: -5 })).toEqual(["elsewhere", "here", -5]);
});
