/** Inputs of the pipelines, and plain loops that compute the same. */
import type { HostArray, Pipeline, Runtime, TypedPipeline } from "@groupwise/core";
import type { InferValues } from "@groupwise/dsl";
import * as declared from "./declared.ts";

type Results = Readonly<Record<string, readonly number[]>>;

interface Loop<V> {
  make(n: number): V;
  /** The expected outputs; of one value, a list of one. */
  loop(values: V): Results;
  /** By output: the difference that is allowed, relative above 1, because the loop rounds otherwise. Others are equal. */
  readonly near?: Readonly<Record<string, number>>;
}

export interface Case {
  readonly source: Pipeline;
  /** Runs the pipeline on a number of items. @returns the first difference from the loop */
  differs(runtime: Runtime, n: number): Promise<string | undefined>;
}

let seed = 1;
function below(limit: number): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * limit);
}
const list = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const floats = (n: number, size: number): Float32Array =>
  Float32Array.from(list(n, () => (below(2 ** 24) / 2 ** 24 - 0.5) * size));

/** Runs of equal numbers, each longer by one than a random number below the most. */
function runs(n: number, most: number): number[] {
  const made: number[] = [];
  for (let id = 3; made.length < n; id += 1 + below(3)) made.push(...list(1 + below(most), () => id));
  return made.slice(0, n);
}

/** The items of each run of equal keys: their first index, and the index after the last. */
function partsOf(keys: ArrayLike<number>): [from: number, to: number][] {
  const from = list(keys.length, (i) => i).filter((i) => i === 0 || keys[i] !== keys[i - 1]);
  return from.map((start, k) => [start, from[k + 1] ?? keys.length]);
}

const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);

function difference(got: Readonly<Record<string, HostArray>>, want: Results, near: Loop<never>["near"] = {}) {
  for (const [name, values] of Object.entries(want))
    for (const [i, one] of values.entries()) {
      const found = Number(got[name]?.[i]);
      if (!(Math.abs(found - one) <= (near[name] ?? 0) * Math.max(1, Math.abs(one))))
        return `${name}[${i}]: ${found} instead of ${one}`;
    }
  return undefined;
}

/** A document has no types: its outputs are arrays by name. */
const caseOf = <P extends TypedPipeline & { readonly ir: Pipeline }>(
  source: P,
  { make, loop, near }: Loop<InferValues<P>>,
): Case => ({
  source: source.ir,
  async differs(runtime, n) {
    seed = 1;
    const values = make(n);
    const program = await runtime.compile(source.ir);
    const got = await program.run(values as Readonly<Record<string, HostArray>>);
    program.dispose();
    return difference(got, loop(values), near);
  },
});

const BRACKETS = { "(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1 } as Readonly<Record<string, number>>;

export const CASES: readonly Case[] = [
  caseOf(declared.encode, {
    make: (n) => ({ x: Uint8Array.from(runs(n, 700)) }),
    loop({ x }) {
      const parts = partsOf(x);
      return {
        values: parts.map(([from]) => x[from] as number),
        lengths: parts.map(([from, to]) => to - from),
        runs: [parts.length],
      };
    },
  }),
  caseOf(declared.percentiles, {
    make(n) {
      const group = Uint32Array.from(runs(n, 300));
      const value = floats(n, 100);
      for (const [from, to] of partsOf(group)) value.subarray(from, to).sort();
      return { group, value, weight: Uint32Array.from(list(n, () => below(20))), p: 90 };
    },
    loop({ group, value, weight, p }) {
      const rows = partsOf(group).map(([from, to]) => {
        const total = sum(weight.subarray(from, to));
        let [i, reached] = [from, weight[from] as number];
        while (reached * 100 < total * p) reached += weight[++i] as number;
        return [group[from] as number, value[i] as number, total] as const;
      });
      return {
        groups: rows.map(([id]) => id),
        at: rows.map(([, at]) => at),
        totals: rows.map(([, , total]) => total),
        count: [rows.length],
      };
    },
  }),
  caseOf(declared.polyline, {
    make: (n) => ({ line: Uint32Array.from(runs(n, 900)), x: floats(n, 9), y: floats(n, 9) }),
    loop({ line, x, y }) {
      const at = (i: number) => [x[i] as number, y[i] as number] as const;
      const parts = partsOf(line);
      const along = parts.flatMap(([from, to]) => {
        let length = 0;
        return list(to - from, (k) => {
          const [[x0, y0], [x1, y1]] = [at(from + Math.max(k, 1) - 1), at(from + k)];
          length += Math.hypot(x1 - x0, y1 - y0);
          return length;
        });
      });
      return {
        along,
        lines: parts.map(([from]) => line[from] as number),
        lengths: parts.map(([, to]) => along[to - 1] as number),
        count: [parts.length],
      };
    },
    near: { along: 1e-5, lengths: 1e-5 },
  }),
  caseOf(declared.filter, {
    make: (n) => ({
      x: floats(n, 2),
      a: Float32Array.from(list(n, (i) => 0.5 + 0.45 * Math.sin(i / 50))),
      b: Float32Array.from(list(n, (i) => 0.5 - 0.45 * Math.sin(i / 50))),
      k: Float32Array.from(list(n, (i) => 1.8 * Math.cos(0.1 + i / 9000))),
    }),
    loop({ x, a, b, k }) {
      const [low, resonant]: [number[], number[]] = [[], []];
      for (const [i, item] of x.entries()) {
        low.push((a[i] as number) * (low[i - 1] ?? 0) + (b[i] as number) * item);
        resonant.push((k[i] as number) * (resonant[i - 1] ?? 0) - 0.9 * (resonant[i - 2] ?? 0) + item);
      }
      return { low, resonant };
    },
    near: { low: 1e-5, resonant: 1e-3 },
  }),
  caseOf(declared.brackets, {
    make: (n) => ({ text: Uint8Array.from(list(n, () => "([{)]}abc ".charCodeAt(below(10)))) }),
    loop({ text }) {
      let level = 0;
      const depth = Array.from(text, (code) => {
        level += BRACKETS[String.fromCharCode(code)] ?? 0;
        return level;
      });
      const wrong = depth.findIndex((one) => one < 0);
      return {
        depth,
        deepest: [Math.max(...depth)],
        left: [level],
        firstError: [wrong < 0 ? 2 ** 32 - 1 : wrong],
      };
    },
  }),
  caseOf(declared.varints, {
    make(n) {
      const bytes: number[] = [];
      while (bytes.length < n) {
        let coded = below(2 ** (4 + below(28)));
        for (; coded > 127; coded = Math.floor(coded / 128)) bytes.push((coded % 128) + 128);
        bytes.push(coded);
      }
      return { byte: Uint8Array.from(bytes) };
    },
    loop({ byte }) {
      const [deltas, values]: [number[], number[]] = [[], []];
      let [coded, place] = [0, 1];
      for (const one of byte) {
        coded += (one % 128) * place;
        place *= 128;
        if (one > 127) continue;
        const delta = coded % 2 === 1 ? -(coded + 1) / 2 : coded / 2;
        deltas.push(delta);
        values.push(((values.at(-1) ?? 0) + delta) | 0);
        [coded, place] = [0, 1];
      }
      return { deltas, values, count: [deltas.length] };
    },
  }),
  caseOf(declared.visits, {
    make(n) {
      const user = Uint32Array.from(runs(n, 400));
      let now = 0;
      const time = user.map((id, i) => {
        now = id === user[i - 1] ? now + below(below(10) === 0 ? 9000 : 900) : below(90_000);
        return now;
      });
      const pages = Uint32Array.from(list(n, () => below(100)));
      return { user, time, pages, spent: floats(n, 60).map(Math.abs), gap: 1800 };
    },
    loop({ user, time, pages, spent, gap }) {
      let visit = -1;
      const visits = Array.from(user, (id, i) => {
        const pause = (time[i] as number) - (time[i - 1] as number);
        if (id !== user[i - 1] || pause > gap) visit++;
        return visit;
      });
      const parts = partsOf(visits);
      const begins = parts.map(([from]) => time[from] as number);
      const durations = parts.map(([from, to]) => (time[to - 1] as number) - (time[from] as number));
      return {
        visit: visits,
        users: parts.map(([from]) => user[from] as number),
        begins,
        durations,
        events: parts.map(([from, to]) => to - from),
        clicks: parts.map((part) => sum(pages.subarray(...part))),
        best: parts.map((part) => Math.max(...pages.subarray(...part))),
        dwell: parts.map((part) => sum(spent.subarray(...part))),
        lastItem: parts.map(([, to]) => to - 1),
        count: [parts.length],
        longest: [Math.max(...durations)],
      };
    },
    near: { dwell: 1e-5 },
  }),
  caseOf(declared.attention, {
    make(n) {
      const [v0, v1, v2, v3] = list(4, () => floats(n, 2)) as [
        Float32Array,
        Float32Array,
        Float32Array,
        Float32Array,
      ];
      return { query: Uint32Array.from(runs(n, 500)), score: floats(n, 20), v0, v1, v2, v3 };
    },
    loop({ query, score, v0, v1, v2, v3 }) {
      const parts = partsOf(query);
      const weight = parts.flatMap((part) => {
        const scores = Array.from(score.subarray(...part));
        const most = Math.max(...scores);
        const powers = scores.map((one) => Math.exp(one - most));
        const total = sum(powers);
        return powers.map((one) => one / total);
      });
      const mean = (v: Float32Array): number[] =>
        parts.map(([from, to]) =>
          sum(list(to - from, (k) => (weight[from + k] as number) * (v[from + k] as number))),
        );
      return {
        weight,
        o0: mean(v0),
        o1: mean(v1),
        o2: mean(v2),
        o3: mean(v3),
        queries: parts.map(([from]) => query[from] as number),
        count: [parts.length],
      };
    },
    near: { weight: 1e-5, o0: 1e-4, o1: 1e-4, o2: 1e-4, o3: 1e-4 },
  }),
  caseOf(declared.json, {
    make(n) {
      const rows = list(n, (i) => ({
        a: i,
        'k"\\': ["x\\\\", '"', "{]:,", '\\"'][below(4)],
        list: [below(9), { z: null }, "\\".repeat(below(5))],
      }));
      return { text: new TextEncoder().encode(JSON.stringify(rows)).subarray(0, n) };
    },
    loop({ text }) {
      const found: [at: number, kind: number, depth: number][] = [];
      let [isInside, isEscaped, depth, strings] = [false, false, 0, 0];
      const inside = Array.from(text, (code, at) => {
        const letter = String.fromCharCode(code);
        const isQuote = letter === '"' && !isEscaped;
        isEscaped = letter === "\\" && !isEscaped;
        if (isQuote) {
          isInside = !isInside;
          strings++;
          return 0;
        }
        if (isInside) return 1;
        depth += BRACKETS[letter] ?? 0;
        if ("{}[]:,".includes(letter)) found.push([at, code, depth]);
        return 0;
      });
      return {
        inside,
        at: found.map(([at]) => at),
        kinds: found.map(([, kind]) => kind),
        depths: found.map(([, , level]) => level),
        strings: [strings],
        count: [found.length],
      };
    },
  }),
];
