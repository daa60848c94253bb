/** The pipelines of the gallery against plain loops. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RunValues } from "@groupwise/core";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, test } from "vitest";
import { INPUTS } from "../gallery/inputs.ts";

const FOLDER = join(import.meta.dirname, "../gallery");

// biome-ignore lint/suspicious/noExplicitAny: values of all types by name
type Values = Readonly<Record<string, any>>;
/** What each item gives, one after the other; `state` is what the loop keeps. */
const loop = (n: number, step: (i: number) => number): number[] =>
  Array.from({ length: n }, (_, i) => step(i));

const sumsOf = (x: readonly number[]): number[] => {
  let sum = 0;
  return x.map((value) => (sum += value));
};

const LOOPS: Readonly<Record<string, (values: Values) => Readonly<Record<string, readonly number[]>>>> = {
  "bracket-depth": ({ text }) => {
    let depth = 0;
    return { depth: loop(text.length, (i) => (depth += text[i] === 40 ? 1 : text[i] === 41 ? -1 : 0)) };
  },
  compaction: ({ x, limit }) => {
    const values = [...x].filter((value) => value > limit);
    return { values, count: [values.length] };
  },
  "counting-sort": ({ key }) => {
    const from = [...key.keys()].sort((a, b) => key[a] - key[b] || a - b);
    return { sorted: from.map((i) => key[i]), from };
  },
  deviation: ({ x }) => {
    const means = sumsOf([...x]).map((sum, i) => sum / (i + 1));
    const deviation = means.map((mean, i) =>
      Math.sqrt([...x.subarray(0, i + 1)].reduce((sum, value) => sum + (value - mean) ** 2, 0) / (i + 1)),
    );
    return { mean: means, deviation };
  },
  edges: ({ x }) => ({
    up: loop(x.length, (i) => Number(i > 0 && x[i] >= 0 && x[i - 1] < 0)),
    down: loop(x.length, (i) => Number(x[i] < 0 && (i === 0 || x[i - 1] >= 0))),
  }),
  "fill-gaps": ({ value, sent }) => {
    let last = value[0];
    return { filled: loop(value.length, (i) => (last = sent[i] ? value[i] : last)) };
  },
  "high-water-mark": ({ level }) => {
    let highest = level[0];
    const all = loop(level.length, (i) => (highest = Math.max(highest, level[i])));
    return { highest: all, below: all.map((top, i) => top - level[i]) };
  },
  histogram: ({ x }) => {
    const counts = Array<number>(16).fill(0);
    for (const value of x)
      counts[Math.min(15, Math.floor(value * 16))] =
        (counts[Math.min(15, Math.floor(value * 16))] as number) + 1;
    return { counts };
  },
  "moving-average": ({ x }) => ({
    mean: loop(x.length, (i) => {
      const last = [...x.subarray(Math.max(0, i - 4), i + 1)];
      return last.reduce((a, b) => a + b) / last.length;
    }),
  }),
  normalise: ({ x }) => {
    const [least, most] = [Math.min(...x), Math.max(...x)];
    return { scaled: loop(x.length, (i) => (x[i] - least) / (most - least)) };
  },
  polyline: ({ x, y }) => ({
    along: sumsOf(loop(x.length, (i) => (i === 0 ? 0 : Math.hypot(x[i] - x[i - 1], y[i] - y[i - 1])))),
  }),
  "record-holder": ({ x }) => {
    let holder = 0;
    const holders = loop(x.length, (i) => (holder = x[i] > x[holder] ? i : holder));
    return { record: holders.map((i) => x[i]), holder: holders };
  },
  "running-total": ({ count }) => ({ total: sumsOf([...count]) }),
  "share-of-group": ({ amount, group }) => ({
    share: loop(
      amount.length,
      (i) => amount[i] / [...amount].filter((_, j) => group[j] === group[i]).reduce((a, b) => a + b),
    ),
  }),
  "since-event": ({ event }) => {
    let since = 0;
    return { since: loop(event.length, (i) => (since = event[i] ? 0 : since + 1)) };
  },
  smoothing: ({ x }) => {
    let y = x[0];
    return { smooth: loop(x.length, (i) => (y = i === 0 ? y : 0.75 * y + 0.25 * x[i])) };
  },
  streaks: ({ reached }) => {
    let streak = 0;
    return { streak: loop(reached.length, (i) => (streak = reached[i] ? streak + 1 : 0)) };
  },
  "time-left": ({ minutes }) => ({ left: sumsOf([...minutes].reverse()).reverse() }),
  visits: ({ second }) => {
    let visit = 0;
    return { visit: loop(second.length, (i) => (visit += Number(i > 0 && second[i] - second[i - 1] > 30))) };
  },
  words: ({ text }) => {
    let word = 0;
    return {
      word: loop(text.length, (i) => {
        if (text[i] !== 32 && (i === 0 || text[i - 1] === 32)) word += 1;
        return text[i] === 32 ? 0 : word;
      }),
    };
  },
};

const NAMES = Object.keys(INPUTS);

test("the gallery has twenty pipelines, each with inputs and a loop", () => {
  const files = readdirSync(FOLDER).filter((file) => file !== "inputs.ts");
  expect(files.sort()).toEqual(NAMES.map((name) => `${name}.ts`).sort());
  expect(Object.keys(LOOPS).sort()).toEqual([...NAMES].sort());
  expect(files.length).toBe(20);
});

test.each(NAMES)("%s computes what a loop computes", async (name) => {
  const { default: pipeline } = await import(pathToFileURL(join(FOLDER, `${name}.ts`)).href);
  const values = INPUTS[name] as RunValues;
  const results = await (await jsRuntime().compile(pipeline)).run(values);
  const want = LOOPS[name]?.(values as Values) ?? {};
  expect(Object.keys(results).sort()).toEqual(Object.keys(want).sort());
  for (const [output, array] of Object.entries(results as Readonly<Record<string, ArrayLike<number>>>)) {
    const wanted = want[output] ?? [];
    // Floats are added in another order; slots that no item writes are 0.
    for (let i = 0; i < array.length; i++) expect(array[i], `${output}[${i}]`).toBeCloseTo(wanted[i] ?? 0, 4);
    expect(array.length).toBeGreaterThanOrEqual(wanted.length);
  }
});
