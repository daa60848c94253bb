/** What each device of the matrix runs: the suite, random trees and random pipelines. */
import { type Check, checksOf, type Effort, SHARES } from "@groupwise/testkit";
import { FLOAT_TYPES, type FuzzReport, type FuzzRequest, SEED } from "@groupwise/testkit/random";
import type { RemoteRunner } from "@groupwise/testkit/remote";
import type { MatrixPart } from "./result.ts";

const FAILURES = 5;
const LENGTH = 300;
/** The part of the trees of each type. */
const TREES = { f16: 1 / 4, f32: 1 / 2, f64: 1 / 4 } as const;
/** Cases of a seed: the last of so many trees have collectives. */
const CHUNKS = { trees: 192, pipelines: 48 };
/** Seconds after which a request begins no new case, so that its answer comes in time; another one has the rest. */
const REQUEST = 60;

const errorText = (error: unknown): string => (error as Error).message ?? String(error);
const short = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, LENGTH);

/** Counts what a part did. */
export class PartCount {
  private passed = 0;
  private failed = 0;
  private refused = 0;
  private left = 0;
  private readonly failures: string[] = [];
  private readonly reasons: Record<string, number> = {};
  private readonly began = performance.now();

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
  leave(count = 1): void {
    this.left += count;
  }
  part(): MatrixPart {
    const { passed, failed, refused, left, failures, reasons, began } = this;
    const seconds = Math.round((performance.now() - began) / 1000);
    return { passed, failed, refused, left, seconds, failures, reasons };
  }
}

/** What limits a part. */
export interface PartLimits {
  /** Seconds that are left to begin something new. */
  remaining(): number;
  say(line: string): void;
}

/** Those of small shares first: they represent the others if the time is over before all ran. */
const rankOf = ({ share }: Check): number => (share === undefined ? SHARES.length : SHARES.indexOf(share));

export async function suiteOn(
  runner: RemoteRunner,
  effort: Effort,
  { remaining, say }: PartLimits,
): Promise<MatrixPart> {
  const count = new PartCount();
  const checks = checksOf(effort).toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const [i, check] of checks.entries()) {
    if (remaining() <= 0) {
      count.leave();
      continue;
    }
    say(`check ${i + 1} of ${checks.length}: ${check.name}`);
    try {
      const { failures, unsupported } = await runner.run(check);
      if (unsupported !== undefined) count.refuse(unsupported);
      else if (failures.length === 0) count.pass();
      else count.fail(`${check.name}: ${failures[0]}`);
    } catch (error) {
      count.fail(`${check.name}: ${errorText(error)}`);
    }
  }
  return count.part();
}

/** Runs random cases. A process that ends takes the rest of its seed along. */
async function fuzzed(
  runner: RemoteRunner,
  requests: readonly FuzzRequest[],
  limits: PartLimits,
): Promise<MatrixPart> {
  const count = new PartCount();
  for (const [i, request] of requests.entries()) {
    const { kind, type = "", options } = request;
    let done = 0;
    try {
      while (done < options.count && limits.remaining() > 0) {
        limits.say(`${kind} ${type}: ${i + 1} of ${requests.length}`);
        const rest = { from: done, count: options.count - done };
        const seconds = Math.min(REQUEST, limits.remaining());
        const report = await runner.fuzz({ ...request, options: { ...options, ...rest, seconds } });
        note(count, report);
        done += report.ran + report.unsupported;
      }
    } catch (error) {
      count.fail(`${kind} ${type}, seed "${options.seed}": ${errorText(error)}`);
      done += 1;
    }
    count.leave(options.count - done);
  }
  return count.part();
}

function note(count: PartCount, { ran, differing, unsupported, reason, findings }: FuzzReport): void {
  count.pass(ran - differing);
  if (unsupported > 0) count.refuse(reason ?? "", unsupported);
  for (const { where, what } of findings) count.fail(`seed "${where}": ${what}`, 0);
  if (differing > 0) count.fail(`${differing} of ${ran} differ`, differing);
}

/** Chunks of a number of cases. */
const chunked = (total: number, chunk: number): { readonly count: number; readonly seed: string }[] =>
  Array.from({ length: Math.ceil(total / chunk) }, (_, i) => ({
    count: Math.min(chunk, total - i * chunk),
    seed: `${SEED} ${i}`,
  }));

const FEW = { most: 1, shrinkSeconds: 10 };

export const treesOn = (runner: RemoteRunner, total: number, limits: PartLimits): Promise<MatrixPart> =>
  fuzzed(
    runner,
    FLOAT_TYPES.flatMap((type) =>
      chunked(Math.round(total * TREES[type]), CHUNKS.trees).map((one) => ({
        kind: "expressions",
        type,
        options: { ...one, ...FEW },
      })),
    ),
    limits,
  );

/** @param batch pipelines that are compiled as one */
export const pipelinesOn = (
  runner: RemoteRunner,
  total: number,
  batch: number,
  limits: PartLimits,
): Promise<MatrixPart> =>
  fuzzed(
    runner,
    chunked(total, CHUNKS.pipelines).map((one) => ({
      kind: "pipelines",
      options: { ...one, ...FEW, size: "small", batch },
    })),
    limits,
  );
