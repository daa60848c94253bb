/** Fuzzing as tests with a fixed seed, and every case that failed in the past. A separate entry, because it needs vitest. */
import type { Runtime } from "@groupwise/core";
import { followDefinitions } from "@groupwise/core/kernel";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import { type Found, found } from "../devices/found.ts";
import { type Probe, requireDevice, sharedBy } from "../devices/require-device.ts";
import { Subject } from "../subject/subject.ts";
import { type CorpusCase, corpus } from "./corpus.ts";
import type { FuzzReport } from "./fuzz.ts";
import { type Fuzzing, type FuzzRequest, fuzzingOf } from "./fuzzing.ts";
import { FLOAT_TYPES, type Float } from "./make/constants.ts";
import type { PipelineSize } from "./pairs/aims.ts";
import { SEED } from "./run.ts";

/** The number of cases of a device. */
export interface RandomCounts {
  readonly trees: Readonly<Record<Float, number>>;
  readonly pipelines: number;
  /** Documents of all pairs of nodes: those of the numbers from 0 on. */
  readonly pairs?: number;
  /** Loops that vectors may compute. */
  readonly vectors?: number;
}

export interface RandomOptions {
  /** What `npm test` runs. */
  readonly quick: RandomCounts;
  /** What a run with GROUPWISE_FULL runs. */
  readonly full: RandomCounts;
  /** Of pipelines; `large` where it is absent. */
  readonly size?: PipelineSize;
  /** Pipelines and documents of pairs that are compiled as one. Default: 1. */
  readonly batch?: number;
  /** Of documents of pairs; as that of pipelines where it is absent. */
  readonly pairsSize?: PipelineSize;
  /** True: outside of full runs, too, passes keep which values statements read. Runtimes with the same passes share it. */
  readonly follows?: boolean;
  /** Cases of the corpus; all where it is absent. */
  readonly only?: (one: CorpusCase) => boolean;
}

/** Cases of one test: a few seconds where compiling is slow. */
const CHUNK = {
  trees: { f16: 48, f32: 96, f64: 24 },
  pipelines: { small: 6, large: 48 },
  pairs: { small: 16, large: 256 },
} as const;
const TIMEOUT = 900_000;

/** The output of a failing test: the arguments that run it again, and the smallest documents, to be added to the corpus. */
const shown = ({ findings }: FuzzReport): readonly string[] =>
  findings.map(({ where, what, smallest }) => `${where}: ${what}\n${JSON.stringify(smallest)}`);

/** Random cases on a device in this or another process. */
export interface FuzzRunner extends Fuzzing {
  end(): Promise<void>;
}

/** Tests of a runtime against the reference on random expressions and pipelines. */
export function random(title: string, probe: Probe<Runtime>, options: RandomOptions): void {
  const open = async (): Promise<Found<FuzzRunner>> => {
    const runtime = await probe();
    if (!runtime.found) return runtime;
    const end = async (): Promise<void> => runtime.value.dispose();
    return found({ ...fuzzingOf(new Subject(runtime.value)), end });
  };
  randomBy(title, open, options);
}

/** {@link random} on a remote device: the same cases, run by the result of `open`. */
export function randomBy(title: string, open: Probe<FuzzRunner>, options: RandomOptions): void {
  const {
    trees,
    pipelines,
    pairs = 0,
    vectors = 0,
  } = process.env.GROUPWISE_FULL ? options.full : options.quick;
  let once: Probe<FuzzRunner>;
  const on = (name: string, body: (runner: FuzzRunner, context: TestContext) => Promise<void>): void =>
    test(name, async (context) => body(await requireDevice(context, () => once()), context), TIMEOUT);
  const fuzzed = (what: string, request: FuzzRequest): void =>
    on(`${request.options.count} ${what}`, async (runner, context) => {
      const report = await runner.fuzz(request);
      expect(shown(report)).toEqual([]);
      expect(report.differing).toBe(0);
      if (report.ran === 0 && report.reason !== undefined) context.skip(report.reason);
    });
  const chunks = (total: number, chunk: number, run: (count: number, from: number) => void): void => {
    for (let from = 0; from < total; from += chunk) run(Math.min(chunk, total - from), from);
  };

  describe(`${title} gives what the reference gives`, () => {
    once = sharedBy(open, (runner) => runner.end());
    beforeAll(() => followDefinitions(options.follows || Boolean(process.env.GROUPWISE_FULL)));
    afterAll(() => followDefinitions(false));
    for (const type of FLOAT_TYPES)
      chunks(trees[type], CHUNK.trees[type], (count, from) => {
        const seed = `${SEED} ${from / CHUNK.trees[type]}`;
        fuzzed(`trees of ${type}, seed "${seed}"`, { kind: "expressions", type, options: { count, seed } });
      });
    const { size = "large", pairsSize = size, batch = 1 } = options;
    chunks(pipelines, CHUNK.pipelines[size], (count, from) => {
      const seed = `${SEED} ${from / CHUNK.pipelines[size]}`;
      fuzzed(`${size} pipelines, seed "${seed}"`, {
        kind: "pipelines",
        options: { count, seed, size, batch },
      });
    });
    chunks(pairs, CHUNK.pairs[pairsSize], (count, from) =>
      fuzzed(`${pairsSize} documents of pairs from ${from} on`, {
        kind: "pairs",
        options: { size: pairsSize, batch, count, seed: SEED, from },
      }),
    );
    if (vectors > 0)
      fuzzed(`${vectors} loops for vectors`, { kind: "vectors", options: { count: vectors, seed: SEED } });
    for (const { name, one } of corpus().filter((one) => options.only?.(one) ?? true))
      on(`corpus: ${name}`, async (runner) => expect(await runner.differs(one)).toBeNull());
  });
}
