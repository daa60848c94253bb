import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { progressOn } from "../src/progress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What a terminal shows in the end, and how often the line was written. */
function terminal(isTerminal: boolean, quiet = false) {
  const written: string[] = [];
  const progress = progressOn({ isTerminal, err: (text) => written.push(text) }, quiet);
  const shown = (): string | undefined => written.at(-1)?.replace("\r\u001b[K", "");
  return { progress, written, shown };
}

test("a step that takes long has a clock, which begins anew with the next step and ends with the line", () => {
  const { progress, written, shown } = terminal(true);
  progress.show("running on lavapipe");
  expect(shown()).toBe("running on lavapipe");
  vi.advanceTimersByTime(999);
  expect(written).toHaveLength(1);
  vi.advanceTimersByTime(12_001);
  expect(shown()).toBe("running on lavapipe, 13 s");
  progress.show("running on PoCL");
  expect(shown()).toBe("running on PoCL");
  vi.advanceTimersByTime(2000);
  expect(shown()).toBe("running on PoCL, 2 s");
  progress.clear();
  expect(shown()).toBe("");
  const count = written.length;
  vi.advanceTimersByTime(60_000);
  expect(written).toHaveLength(count);
});

test("waiting has no clock", () => {
  const { progress, shown } = terminal(true);
  progress.show("running on PoCL");
  progress.show("watching sums.ts", false);
  vi.advanceTimersByTime(60_000);
  expect(shown()).toBe("watching sums.ts");
});

test("a log has one line for what takes long, and none for what ends before", () => {
  const { progress, written } = terminal(false);
  progress.show("compiling for lavapipe");
  vi.advanceTimersByTime(60_000);
  progress.show("running on lavapipe");
  vi.advanceTimersByTime(9000);
  progress.clear();
  vi.advanceTimersByTime(60_000);
  expect(written).toEqual(["compiling for lavapipe: this takes a while\n"]);
});

test("nothing is written where nobody watches", () => {
  for (const [isTerminal, quiet] of [
    [false, false],
    [true, true],
  ] as const) {
    const { progress, written } = terminal(isTerminal, quiet);
    progress.show("running on PoCL");
    vi.advanceTimersByTime(5000);
    progress.clear();
    expect(written).toEqual([]);
  }
});

test("a log has a line for each step, unless the command is quiet", () => {
  for (const quiet of [false, true]) {
    const { progress, written } = terminal(false, quiet);
    progress.step("scan of 65536 u32\u001b[31m");
    vi.advanceTimersByTime(5000);
    progress.clear();
    expect(written).toEqual(quiet ? [] : ["scan of 65536 u32\\u001b[31m\n"]);
  }
  const { progress, shown } = terminal(true);
  progress.step("scan");
  vi.advanceTimersByTime(2000);
  expect(shown()).toBe("scan, 2 s");
});

test("control characters of a name are escaped", () => {
  const { progress, shown } = terminal(true);
  progress.show("running on \u001b[31mred");
  vi.advanceTimersByTime(1000);
  expect(shown()).toBe("running on \\u001b[31mred, 1 s");
});
