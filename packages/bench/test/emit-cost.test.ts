/** What emitting costs, in calls of functions and characters of text: the same numbers on every machine. */
import { Session } from "node:inspector/promises";
import { emit } from "@groupwise/core";
import { isSupported } from "@groupwise/core/target";
import { pipeline, u32 } from "@groupwise/dsl";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../src/golden-files.ts";

/** Every target but those that refuse integers. */
const TARGETS = LANGUAGES.filter(({ capabilities }) => isSupported(capabilities.scalars.u32));

/** How often functions of the packages' sources are called by `work`, counted by V8. */
async function callsOf(work: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result
      .filter(({ url }) => /packages\/[^/]+\/src\//.test(url))
      .flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0))
      .reduce((a, b) => a + b, 0);
  } finally {
    session.disconnect();
  }
}

const lineIndex = pipeline("line-index", { text: u32 }, ({ text }, { index }) => {
  const isBreak = text.eq(10);
  const line = isBreak.toU32().scanExclusive("add");
  return {
    line,
    starts: index().add(1).scatter({ to: line, where: isBreak }),
    lines: isBreak.toU32().reduce("add"),
  };
});

/** A chain of element-wise operators: each value is read by the next one only. */
const chain = (steps: number) =>
  pipeline("chain", { x: u32 }, ({ x }) => {
    let value = x;
    for (let i = 0; i < steps; i++) value = value.add((i * 7) % 13).xor(x);
    return { y: value.scanInclusive("add") };
  });
/** A chain in which each value is read twice: whoever expands it as a tree visits 2^steps nodes. */
const shared = (steps: number) =>
  pipeline("shared", { x: u32 }, ({ x }) => {
    let value = x;
    for (let i = 0; i < steps; i++) value = value.mul(value).add(i % 5);
    return { y: value, sum: value.reduce("add") };
  });
/** As many outputs as steps, all read from the same input. */
const wide = (steps: number) =>
  pipeline("wide", { x: u32 }, ({ x }) =>
    Object.fromEntries(Array.from({ length: steps }, (_, i) => [`y${i}`, x.add(i).scanInclusive("add")])),
  );

type Source = Parameters<typeof emit>[0];
const lengthOf = (source: Source, target: (typeof TARGETS)[number]): number =>
  emit(source, target).files.reduce((sum, { text }) => sum + text.length, 0);

/** Twice the nodes are at most so many times the calls, and so much text: what is quadratic makes four times. */
const GROWTH = 2.2;
const GROWING: Readonly<Record<string, readonly [make: (steps: number) => Source, steps: number]>> = {
  "a chain of operators": [chain, 250],
  "operators whose operands are shared": [shared, 80],
  "scans beside one another": [wide, 4],
};

describe.each(TARGETS)("$name", (target) => {
  test("a small pipeline takes at most 305,000 calls, the same number each time", async () => {
    emit(lineIndex, target); // tables that are made on first use
    const calls = await callsOf(() => emit(lineIndex, target));
    expect(calls).toBeGreaterThan(1000);
    expect(calls).toBeLessThan(305_000);
    expect(Math.abs((await callsOf(() => emit(lineIndex, target))) - calls)).toBeLessThan(calls / 50);
  });

  // In other runs `cost.test.ts` counts what V8 executes, for more families of documents.
  test.skipIf(!process.env.GROUPWISE_FULL).each(Object.entries(GROWING))(
    "calls and text grow with the nodes of %s",
    async (_, [make, steps]) => {
      const [few, many] = [make(steps), make(2 * steps)];
      const calls = await callsOf(() => emit(few, target));
      expect(await callsOf(() => emit(many, target))).toBeLessThan(GROWTH * calls);
      expect(lengthOf(many, target)).toBeLessThan(GROWTH * lengthOf(few, target));
    },
  );
});
