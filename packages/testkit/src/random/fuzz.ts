/** One run of random cases, several of which are compiled as one, and its findings. */
import { NotSupportedError, type Subject } from "../subject/subject.ts";
import { lineOf } from "./again.ts";
import { differenceOf, wantedOf } from "./compare.ts";
import type { FuzzRequest } from "./fuzzing.ts";
import type { RandomCase } from "./make/case.ts";
import type { PipelineSize } from "./pairs/aims.ts";
import { smallest } from "./shrink.ts";
import { definedPart, whyUnsound } from "./sound.ts";

/** The options of a run. */
export interface FuzzOptions {
  readonly count: number;
  readonly seed: string;
  /** The number of the first case. Default: 0. */
  readonly from?: number;
  /** Pipelines or documents of pairs that are compiled as one; at most 16. Default: 1. Trees are always several. */
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
  /** The arguments of `npm run bench --` that run the case again. */
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
}

/** Cases that can run as one pipeline. */
export interface CaseBlock {
  readonly count: number;
  /** Those from one position to before another, as one case. */
  some(from: number, to: number): RandomCase;
  /** The same in other forms, which are easier to read; the first that differs is reported. */
  forms?(from: number, to: number): readonly RandomCase[];
}

type Verdict = "same" | "differs" | "unknown" | NotSupportedError;

export class FuzzRun {
  ran = 0;
  private unsupported = 0;
  private reason: string | undefined;
  private differing = 0;
  private readonly findings: Finding[] = [];
  private readonly started = performance.now();
  readonly subject: Subject;
  private readonly request: FuzzRequest;
  private said = 0;

  constructor(subject: Subject, request: FuzzRequest) {
    this.subject = subject;
    this.request = request;
  }

  private get options(): FuzzOptions {
    return this.request.options;
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

  /**
   * Runs all cases, block by block, until the time is over.
   * @param blockOf the block that begins with the case of a number, of at most so many cases
   */
  async blocks(blockOf: (first: number, most: number) => CaseBlock): Promise<FuzzReport> {
    const { from = 0, count } = this.options;
    for (let first = from; first < from + count && !this.isOver; ) {
      const block = blockOf(first, from + count - first);
      await this.examine(block, first, 0, block.count);
      first += block.count;
      this.progress();
    }
    return this.report();
  }

  /** Runs cases of a block as one. Unless they are the same, each half runs by itself, so that a difference has one case if it can. */
  private async examine(block: CaseBlock, first: number, from: number, to: number): Promise<void> {
    const isSeveral = to - from > 1;
    const verdict = await this.verdictOn(block.some(from, to), isSeveral);
    if (isSeveral && verdict !== "same") {
      const [before, half] = [this.differing, (from + to) >> 1];
      await this.examine(block, first, from, half);
      await this.examine(block, first, half, to);
      // Otherwise they differ only together.
      if (verdict !== "differs" || this.differing > before) return;
    } else if (verdict instanceof NotSupportedError) {
      this.unsupported += 1;
      this.reason ??= verdict.message;
      return;
    } else {
      this.ran += to - from;
      if (verdict === "same") return;
    }
    for (const form of block.forms?.(from, to) ?? [block.some(from, to)]) {
      const defined = await definedPart(form);
      if (defined === undefined || (await this.differs(defined)) === undefined) continue;
      return this.found(lineOf(this.request, first + from, to - from), defined);
    }
  }

  /** `unknown` if one of several cases ends in an error, which hides the outputs of the others. */
  private async verdictOn(one: RandomCase, isSeveral: boolean): Promise<Verdict> {
    try {
      const want = await wantedOf(one);
      if (isSeveral && "error" in want) return "unknown";
      return (await differenceOf(this.subject, one, want)) === undefined ? "same" : "differs";
    } catch (error) {
      if (error instanceof NotSupportedError) return error;
      throw error;
    }
  }

  /** Differences are counted, and the first ones are shrunk and reported. */
  private async found(where: string, failing: RandomCase): Promise<void> {
    const { most = 5, shrinkSeconds = 20 } = this.options;
    this.differing += 1;
    if (this.findings.length >= most) return;
    const fails = async (one: RandomCase): Promise<boolean> =>
      (await whyUnsound(one)) === undefined && (await this.differs(one)) !== undefined;
    const small = await smallest(failing, fails, shrinkSeconds * 1000);
    const what = (await this.differs(small)) ?? "it does not differ any more";
    this.findings.push({ where, what, smallest: small });
  }

  /** A failure of the case of a number, that is not shrunk. */
  keep(number: number, failure: Omit<Finding, "where">): void {
    this.differing += 1;
    if (this.findings.length < (this.options.most ?? 5))
      this.findings.push({ where: lineOf(this.request, number, 1), ...failure });
  }

  private async differs(one: RandomCase): Promise<string | undefined> {
    try {
      return await differenceOf(this.subject, one);
    } catch (error) {
      if (error instanceof NotSupportedError) return undefined;
      throw error;
    }
  }

  report(): FuzzReport {
    const { ran, unsupported, reason, differing, findings, options } = this;
    const seconds = Math.round(this.seconds * 10) / 10;
    const lacking = reason === undefined ? {} : { reason };
    return { seed: options.seed, ran, unsupported, ...lacking, differing, findings, seconds };
  }
}
