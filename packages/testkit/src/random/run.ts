/** Fuzzing: random cases on a device against the reference, until they are all done or the time is over. */
import { NotSupportedError, type Subject } from "../subject.ts";
import type { RandomCase } from "./case.ts";
import { differenceOf, differenceOfTrees, flushedBy } from "./compare.ts";
import type { Float } from "./constants.ts";
import { hashedPipeline, plainPipeline, type Trees, treesOf } from "./expressions.ts";
import { type PipelineSize, pipelineCase } from "./pipelines.ts";
import { smallest, withoutDead } from "./shrink.ts";
import { whyUnsound } from "./sound.ts";

/** What a run is told. */
export interface FuzzOptions {
  readonly count: number;
  readonly seed: string;
  /** Seconds after which nothing new is begun. */
  readonly seconds?: number;
  /** Most failures that are made small and reported; the others are counted. 5 where it is absent. */
  readonly most?: number;
  /** Seconds for making one failure small; 20 where it is absent. */
  readonly shrinkSeconds?: number;
  /** Of random pipelines; `large` where it is absent. */
  readonly size?: PipelineSize;
  /** Told of the progress. */
  readonly say?: (line: string) => void;
}

/** Something that differed. */
export interface Finding {
  /** The seeds of what was tried. */
  readonly where: string;
  /** How the smallest case differs. */
  readonly what: string;
  /** A document; of expressions and pipelines a {@link RandomCase}. */
  readonly smallest: unknown;
}

/** What a run showed. */
export interface FuzzReport {
  readonly seed: string;
  /** Cases that ran. */
  readonly ran: number;
  /** Cases that the device does not take, and why the first. */
  readonly unsupported: number;
  readonly reason?: string;
  /** Cases that differed. */
  readonly differing: number;
  readonly findings: readonly Finding[];
  readonly seconds: number;
}

class Run {
  ran = 0;
  unsupported = 0;
  reason: string | undefined;
  differing = 0;
  readonly findings: Finding[] = [];
  private readonly started = performance.now();
  readonly subject: Subject;
  readonly options: FuzzOptions;
  private said = 0;

  constructor(subject: Subject, options: FuzzOptions) {
    this.subject = subject;
    this.options = options;
  }

  get seconds(): number {
    return (performance.now() - this.started) / 1000;
  }

  get isOver(): boolean {
    return this.seconds > (this.options.seconds ?? Number.POSITIVE_INFINITY);
  }

  progress(): void {
    if (this.seconds - this.said < 1) return;
    this.said = this.seconds;
    const { ran, differing, options } = this;
    options.say?.(`${ran} of ${options.count}, ${differing} differ, ${Math.round(this.seconds)} s`);
  }

  /** Something that differs is counted, and the first ones are made small and kept. */
  async found(where: string, failing: RandomCase): Promise<void> {
    const { most = 5, shrinkSeconds = 20 } = this.options;
    this.differing += 1;
    if (this.findings.length >= most) return;
    const flushed = await flushedBy(this.subject);
    const fails = async (one: RandomCase): Promise<boolean> =>
      (await whyUnsound(one, flushed)) === undefined && (await this.differs(one)) !== undefined;
    const small = await smallest(failing, fails, shrinkSeconds * 1000);
    const what = (await this.differs(small)) ?? "it does not differ any more";
    this.findings.push({ where, what, smallest: small });
  }

  /** Something that is wrong and stays as large as it is. */
  keep(finding: Finding): void {
    this.differing += 1;
    if (this.findings.length < (this.options.most ?? 5)) this.findings.push(finding);
  }

  async differs(one: RandomCase): Promise<string | undefined> {
    try {
      return await differenceOf(this.subject, one);
    } catch (error) {
      if (error instanceof NotSupportedError) return undefined;
      throw error;
    }
  }

  lacks(count: number, error: unknown): void {
    if (!(error instanceof NotSupportedError)) throw error;
    this.unsupported += count;
    this.reason ??= error.message;
  }

  report(): FuzzReport {
    const { ran, unsupported, reason, differing, findings, options } = this;
    const seconds = Math.round(this.seconds * 10) / 10;
    const lacking = reason === undefined ? {} : { reason };
    return { seed: options.seed, ran, unsupported, ...lacking, differing, findings, seconds };
  }
}

/** Everything random in `npm test` follows from it. */
export const SEED = "groupwise";

/** Trees in one pipeline. */
const BATCH = 24;
/** One pipeline of so many has collectives: they take long to compile. */
const COLLECTIVES_EVERY = 8;

/** Random trees of a float type. */
export async function fuzzExpressions(
  subject: Subject,
  type: Float,
  options: FuzzOptions,
): Promise<FuzzReport> {
  const run = new Run(subject, options);
  for (let batch = 0; batch * BATCH < options.count && !run.isOver; batch++) {
    const count = Math.min(BATCH, options.count - batch * BATCH);
    const collectives = batch % COLLECTIVES_EVERY === COLLECTIVES_EVERY - 1 ? 2 : 0;
    const trees = treesOf(type, count, collectives, options.seed, batch);
    try {
      if (await differenceOfTrees(subject, trees)) await culprits(run, trees, `${options.seed} ${batch}`);
      run.ran += count;
    } catch (error) {
      run.lacks(count, error);
    }
    run.progress();
  }
  return run.report();
}

/** The trees of a batch that differ by themselves; all of them as one where they do so only together. */
async function culprits(run: Run, trees: Trees, where: string): Promise<void> {
  const { roots } = trees;
  if (roots.length > 1) {
    const half = roots.length >> 1;
    let isPart = false;
    for (const part of [roots.slice(0, half), roots.slice(half)]) {
      const some = { ...trees, roots: part };
      if ((await differenceOfTrees(run.subject, some)) === undefined) continue;
      isPart = true;
      await culprits(run, some, where);
    }
    if (isPart) return;
  }
  for (const pipeline of [plainPipeline(trees), plainPipeline(trees, true), hashedPipeline(trees)]) {
    const one = { pipeline: withoutDead(pipeline), run: trees.run };
    if ((await run.differs(one)) !== undefined) return run.found(where, one);
  }
}

/** Random pipelines over the whole IR. */
export async function fuzzPipelines(subject: Subject, options: FuzzOptions): Promise<FuzzReport> {
  const run = new Run(subject, options);
  const flushed = await flushedBy(subject);
  for (let i = 0; i < options.count && !run.isOver; i++) {
    const one = pipelineCase(options.size ?? "large", options.seed, i);
    try {
      const difference = await differenceOf(subject, one);
      if (difference !== undefined && (await whyUnsound(one, flushed)) === undefined)
        await run.found(`${options.seed} ${i}`, one);
      run.ran += 1;
    } catch (error) {
      run.lacks(1, error);
    }
    run.progress();
  }
  return run.report();
}

/**
 * Documents that a check looks at, without a device.
 * @param documentOf the document of a seed with a number
 * @param problemOf what is wrong with it, or undefined
 */
export async function fuzzDocuments(
  subject: Subject,
  options: FuzzOptions,
  documentOf: (seed: string, number: number) => unknown,
  problemOf: (document: unknown) => string | undefined,
): Promise<FuzzReport> {
  const run = new Run(subject, options);
  for (let i = 0; i < options.count && !run.isOver; i++) {
    const smallest = documentOf(options.seed, i);
    const what = problemOf(smallest);
    if (what !== undefined) run.keep({ where: `${options.seed} ${i}`, what, smallest });
    run.ran += 1;
    run.progress();
  }
  return run.report();
}
