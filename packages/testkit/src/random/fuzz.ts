/** One run of random cases, and its findings. */
import { NotSupportedError, type Subject } from "../subject/subject.ts";
import { differenceOf } from "./compare.ts";
import type { RandomCase } from "./make/case.ts";
import type { PipelineSize } from "./make/pipelines.ts";
import { smallest } from "./shrink.ts";
import { whyUnsound } from "./sound.ts";

/** The options of a run. */
export interface FuzzOptions {
  readonly count: number;
  readonly seed: string;
  /** The number of the first document of all pairs. Default: 0. */
  readonly from?: number;
  /** Documents of all pairs that are compiled as one; at most 16. Default: 1. */
  readonly batch?: number;
  /** Seconds after which no new case begins. */
  readonly seconds?: number;
  /** Largest number of failures that are shrunk and reported; the others are counted. Default: 5. */
  readonly most?: number;
  /** Seconds for making one failure small. Default: 20. */
  readonly shrinkSeconds?: number;
  /** Of random pipelines; `large` where it is absent. */
  readonly size?: PipelineSize;
  /** Called with the progress. */
  readonly say?: (line: string) => void;
}

/** A difference. */
export interface Finding {
  /** The seeds of the case. */
  readonly where: string;
  /** How the smallest case differs. */
  readonly what: string;
  /** A document; of expressions and pipelines a {@link RandomCase}. */
  readonly smallest: unknown;
}

/** The results of a run. */
export interface FuzzReport {
  readonly seed: string;
  /** Cases that ran. */
  readonly ran: number;
  /** Cases that the device does not support, and the reason for the first. */
  readonly unsupported: number;
  readonly reason?: string;
  /** Cases that differed. */
  readonly differing: number;
  readonly findings: readonly Finding[];
  readonly seconds: number;
  /** Of documents of all pairs: how many times each pair of nodes ran. */
  readonly pairs?: Readonly<Record<string, number>>;
}

export class FuzzRun {
  ran = 0;
  unsupported = 0;
  reason: string | undefined;
  differing = 0;
  readonly findings: Finding[] = [];
  readonly pairs: Map<string, number> = new Map();
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

  /** Differences are counted, and the first ones are shrunk and reported. */
  async found(where: string, failing: RandomCase): Promise<void> {
    const { most = 5, shrinkSeconds = 20 } = this.options;
    this.differing += 1;
    if (this.findings.length >= most) return;
    const fails = async (one: RandomCase): Promise<boolean> =>
      (await whyUnsound(one)) === undefined && (await this.differs(one)) !== undefined;
    const small = await smallest(failing, fails, shrinkSeconds * 1000);
    const what = (await this.differs(small)) ?? "it does not differ any more";
    this.findings.push({ where, what, smallest: small });
  }

  /** A failure that is not shrunk. */
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
    const counted = this.pairs.size === 0 ? {} : { pairs: Object.fromEntries(this.pairs) };
    return { seed: options.seed, ran, unsupported, ...lacking, differing, findings, seconds, ...counted };
  }
}
