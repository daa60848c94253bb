/** Counts what a part of a row did. */
import type { MatrixPart } from "./result.ts";

const FAILURES = 5;
const LENGTH = 300;

const short = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, LENGTH);

export class PartCount {
  private passed = 0;
  private failed = 0;
  private refused = 0;
  private left = 0;
  private ended = 0;
  private readonly failures: string[] = [];
  private readonly reasons: Record<string, number> = {};
  private began: number | undefined;
  private last = 0;

  /** A task begins. */
  begin(): void {
    this.began ??= performance.now();
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
  /** The end of a task: cases that did not run. */
  leave(count: number): void {
    this.left += count;
    this.last = performance.now();
  }
  /** A signal ended a process. */
  end(): void {
    this.ended += 1;
  }
  part(): MatrixPart {
    const { passed, failed, refused, left, ended, failures, reasons, last } = this;
    const seconds = Math.round((last - (this.began ?? last)) / 1000);
    return { passed, failed, refused, left, ...(ended > 0 && { ended }), seconds, failures, reasons };
  }
}
