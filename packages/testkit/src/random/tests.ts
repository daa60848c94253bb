/** Fuzzing as tests with a fixed seed, and every case that failed in the past. A separate entry, because it needs vitest. */
import type { Runtime } from "@groupwise/core";
import { followDefinitions } from "@groupwise/core/kernel";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import { type Found, found } from "../devices/found.ts";
import { requireDevice } from "../devices/require-device.ts";
import { Subject } from "../subject/subject.ts";
import { corpus } from "./corpus.ts";
import type { FuzzReport } from "./fuzz.ts";
import { type Fuzzing, type FuzzRequest, fuzzingOf } from "./fuzzing.ts";
import { FLOAT_TYPES, type Float } from "./make/constants.ts";
import type { PipelineSize } from "./make/pipelines.ts";
import { SEED } from "./run.ts";

/** The number of cases of a device. */
export interface RandomCounts {
  readonly trees: Readonly<Record<Float, number>>;
  readonly pipelines: number;
}

export interface RandomOptions {
  /** What `npm test` runs. */
  readonly quick: RandomCounts;
  /** What a run with GROUPWISE_FULL runs. */
  readonly full: RandomCounts;
  /** Of pipelines; `large` where it is absent. */
  readonly size?: PipelineSize;
  /** Cases of the corpus by file name; all where it is absent. */
  readonly only?: (name: string) => boolean;
}

/** Cases of one test: a few seconds where compiling is slow. */
const CHUNK = { trees: { f16: 48, f32: 96, f64: 24 }, pipelines: { small: 6, large: 48 } } as const;
const TIMEOUT = 900_000;

/** The output of a failing test: the seeds, and the smallest documents, to be added to the corpus. */
const shown = ({ findings }: FuzzReport): readonly string[] =>
  findings.map(({ where, what, smallest }) => `seed ${where}: ${what}\n${JSON.stringify(smallest)}`);

/** Random cases on a device in this or another process. */
export interface FuzzRunner extends Fuzzing {
  end(): Promise<unknown>;
}

type Probe<T> = () => Found<T> | Promise<Found<T>>;

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
  const { trees, pipelines } = process.env.GROUPWISE_FULL ? options.full : options.quick;
  let opened: Promise<Found<FuzzRunner>> | undefined;
  const on = (name: string, body: (runner: FuzzRunner, context: TestContext) => Promise<void>): void =>
    test(
      name,
      async (context) =>
        body(await requireDevice(context, () => (opened ??= Promise.resolve(open()))), context),
      TIMEOUT,
    );
  const chunks = (
    what: string,
    total: number,
    chunk: number,
    request: Omit<FuzzRequest, "options">,
    more: { readonly size?: PipelineSize } = {},
  ): void => {
    for (let from = 0; from < total; from += chunk) {
      const count = Math.min(chunk, total - from);
      const seed = `${SEED} ${from / chunk}`;
      on(`${count} ${what}, seed "${seed}"`, async (runner, context) => {
        const report = await runner.fuzz({ ...request, options: { count, seed, ...more } });
        expect(shown(report)).toEqual([]);
        expect(report.differing).toBe(0);
        if (report.ran === 0 && report.reason !== undefined) context.skip(report.reason);
      });
    }
  };

  describe(`${title} gives what the reference gives`, () => {
    beforeAll(() => followDefinitions(true));
    afterAll(async () => {
      followDefinitions(false);
      const runner = await opened?.catch(() => undefined);
      if (runner?.found) await runner.value.end();
    });
    for (const type of FLOAT_TYPES)
      chunks(`trees of ${type}`, trees[type], CHUNK.trees[type], { kind: "expressions", type });
    const { size = "large" } = options;
    chunks(`${size} pipelines`, pipelines, CHUNK.pipelines[size], { kind: "pipelines" }, { size });
    for (const { name, one } of corpus().filter(({ name }) => options.only?.(name) ?? true))
      on(`corpus: ${name}`, async (runner) => expect(await runner.differs(one)).toBeNull());
  });
}
