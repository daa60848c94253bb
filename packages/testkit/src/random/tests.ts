/** Fuzzing as tests, with a fixed seed; and every case that once failed. An entry of its own, because it needs vitest. */
import type { Runtime } from "@groupwise/core";
import { afterAll, describe, expect, test } from "vitest";
import type { Found } from "../devices/found.ts";
import { requireDevice } from "../devices/require-device.ts";
import { NotSupportedError, Subject } from "../subject.ts";
import { differenceOf, flushedBy } from "./compare.ts";
import { FLOAT_TYPES, type Float } from "./constants.ts";
import { corpus } from "./corpus.ts";
import type { PipelineSize } from "./pipelines.ts";
import { type FuzzReport, fuzzExpressions, fuzzPipelines, SEED } from "./run.ts";
import { whyUnsound } from "./sound.ts";

/** How many cases a device gets. */
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

/** What a failing test prints: the seeds, and the smallest documents to keep in the corpus. */
const told = ({ findings }: FuzzReport): readonly string[] =>
  findings.map(({ where, what, smallest }) => `seed ${where}: ${what}\n${JSON.stringify(smallest)}`);

/** Tests of a runtime against the reference on random expressions and pipelines. */
export function random(
  title: string,
  probe: () => Found<Runtime> | Promise<Found<Runtime>>,
  options: RandomOptions,
): void {
  const { trees, pipelines } = process.env.GROUPWISE_FULL ? options.full : options.quick;
  let opened: Promise<Found<Subject>> | undefined;
  const open = async (): Promise<Found<Subject>> => {
    const runtime = await probe();
    return runtime.found ? { found: true, value: new Subject(runtime.value) } : runtime;
  };
  const on = (name: string, body: (subject: Subject) => Promise<FuzzReport | undefined>): void =>
    test(
      name,
      async (context) => {
        const report = await body(await requireDevice(context, () => (opened ??= open())));
        if (!report) return;
        expect(told(report)).toEqual([]);
        expect(report.differing).toBe(0);
        if (report.ran === 0 && report.reason !== undefined) context.skip(report.reason);
      },
      TIMEOUT,
    );
  const chunks = (
    what: string,
    count: number,
    size: number,
    run: (subject: Subject, count: number, seed: string) => Promise<FuzzReport>,
  ): void => {
    for (let from = 0; from < count; from += size) {
      const some = Math.min(size, count - from);
      const seed = `${SEED} ${from / size}`;
      on(`${some} ${what}, seed "${seed}"`, (subject) => run(subject, some, seed));
    }
  };

  describe(`${title} gives what the reference gives`, () => {
    afterAll(async () => {
      const subject = await opened?.catch(() => undefined);
      if (subject?.found) subject.value.runtime.dispose();
    });
    for (const type of FLOAT_TYPES)
      chunks(`trees of ${type}`, trees[type], CHUNK.trees[type], (subject, count, seed) =>
        fuzzExpressions(subject, type, { count, seed }),
      );
    const { size = "large" } = options;
    chunks(`${size} pipelines`, pipelines, CHUNK.pipelines[size], (subject, count, seed) =>
      fuzzPipelines(subject, { count, seed, size }),
    );
    for (const { name, one } of corpus().filter(({ name }) => options.only?.(name) ?? true))
      on(`corpus: ${name}`, async (subject) => {
        if ((await whyUnsound(one, await flushedBy(subject))) !== undefined) return undefined;
        expect(await differs(subject, one)).toBeUndefined();
        return undefined;
      });
  });
}

/** How a case differs; undefined also where the device does not take it. */
async function differs(
  subject: Subject,
  one: Parameters<typeof differenceOf>[1],
): Promise<string | undefined> {
  try {
    return await differenceOf(subject, one);
  } catch (error) {
    if (error instanceof NotSupportedError) return undefined;
    throw error;
  }
}
