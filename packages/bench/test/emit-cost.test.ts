/** What emitting costs, in calls of functions and characters of text: the same numbers on every machine. */
import { Session } from "node:inspector/promises";
import { emit } from "@groupwise/core";
import { isSupported } from "@groupwise/core/target";
import { namedCase } from "@groupwise/testkit";
import { isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../src/golden-files.ts";

/** Every target but those that refuse integers; outside of full runs one whose scans look back, and one whose do not: the rest is printing. */
const TARGETS = LANGUAGES.filter(({ capabilities }) => isSupported(capabilities.scalars.u32)).filter(
  ({ name }) => isFullRun() || ["cuda", "wgsl"].includes(name),
);

/** Where tests read sources, each use of an import is a call. */
const IMPORTS = import.meta.resolve("@groupwise/core").includes("/dist/") ? 1 : 1.25;

/** How often functions of the packages are called by `work`, counted by V8. */
async function callsOf(work: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result
      .filter(({ url }) => /packages\/[^/]+\/(src|dist)\//.test(url))
      .flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0))
      .reduce((a, b) => a + b, 0);
  } finally {
    session.disconnect();
  }
}

const lineIndex = namedCase("line-index");

describe.each(TARGETS)("$name", (target) => {
  // A scan in one pass has more than twice the text.
  const most = ("unsupported" in target.capabilities.lookBack ? 165_000 : 460_000) * IMPORTS;

  test(`a small pipeline takes at most ${most} calls, the same number each time`, async () => {
    emit(lineIndex, target); // tables that are made on first use
    const calls = await callsOf(() => emit(lineIndex, target));
    expect(calls).toBeGreaterThan(1000);
    expect(calls).toBeLessThan(most);
    expect(Math.abs((await callsOf(() => emit(lineIndex, target))) - calls)).toBeLessThan(calls / 50);
  });
});
