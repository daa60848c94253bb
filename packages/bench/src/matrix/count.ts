/** Counts what a part of a row did. */
import type { Took } from "@groupwise/testkit/remote";
import type { MatrixPart } from "./result.ts";

const FAILURES = 5;
const LENGTH = 300;

/** What a process said last is why it ended. */
function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > LENGTH ? `${line.slice(0, LENGTH / 2)} … ${line.slice(-LENGTH / 2)}` : line;
}

export class PartCount {
  private passed = 0;
  private failed = 0;
  private refused = 0;
  private left = 0;
  private ended = 0;
  private readonly failures: string[] = [];
  private readonly reasons: Record<string, number> = {};
  private readonly times: Record<string, Took> = {};
  private began: number | undefined;
  private last = 0;

  /** A task begins or ends. */
  time(): void {
    this.last = performance.now();
    this.began ??= this.last;
  }
  pass(count = 1): void {
    this.passed += count;
  }
  fail(what: string, count = 1): void {
    this.failed += count;
    if (this.failures.length < FAILURES) this.failures.push(short(what));
  }
  refuse(reason: string, count = 1): void {
    this.refused += count;
    this.reasons[short(reason)] = (this.reasons[short(reason)] ?? 0) + count;
  }
  /** How long something took that passed. */
  timed(name: string, took: Took): void {
    this.times[name] = took;
  }
  /** The time is over for cases. */
  leave(count: number): void {
    this.left += count;
  }
  /** A process ended, or did not answer. */
  end(): void {
    this.ended += 1;
  }
  part(): MatrixPart {
    const { passed, failed, refused, left, ended, failures, reasons, times, last } = this;
    const seconds = Math.round((last - (this.began ?? last)) / 1000);
    return {
      ...{ passed, failed, refused, left, ...(ended > 0 && { ended }), seconds, failures, reasons },
      ...(Object.keys(times).length > 0 && { times }),
    };
  }
}
