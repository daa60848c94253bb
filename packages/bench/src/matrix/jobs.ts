/** The tasks of a row, which its device processes take from one queue. */
import { EndedBySignal, type RemoteRunner } from "@groupwise/testkit/remote";
import type { PartCount } from "./count.ts";

/**
 * Tasks of a process, after which another one goes on. A process of lavapipe keeps some 360 mappings of memory for each random pipeline, and
 * ends by SIGSEGV when Linux allows no more than its 65530.
 */
const LIFE = 16;

/** What limits a part. */
export interface PartLimits {
  /** Seconds that are left to begin something new. */
  remaining(): number;
  say(line: string): void;
}

/** What a device process takes at once. */
export interface Task {
  /** For progress and failures. */
  readonly name: string;
  readonly cases: number;
  /** Runs cases from a number on, notes them, and resolves to how many it ran. */
  run(runner: RemoteRunner, from: number): Promise<number>;
}

/** The tasks of a part. */
export interface PartTasks {
  readonly count: PartCount;
  readonly limits: PartLimits;
  readonly tasks: readonly Task[];
}

const textOf = (error: unknown): string => (error as Error).message ?? String(error);

/** Runs a task, and its rest once more if a signal ends the process. Another end takes the rest along. */
async function runTask(
  { name, cases, run }: Task,
  { count, limits: { remaining, say } }: PartTasks,
  runner: RemoteRunner,
): Promise<void> {
  let done = 0;
  let isAgain = false;
  count.begin();
  while (done < cases && remaining() > 0) {
    say(name);
    try {
      done += await run(runner, done);
    } catch (error) {
      const isSignal = error instanceof EndedBySignal;
      if (isSignal) count.end();
      if (isSignal && !isAgain) {
        isAgain = true;
        continue;
      }
      count.fail(`${name}: ${textOf(error)}`);
      done += 1;
      break;
    }
  }
  count.leave(cases - done);
}

/** Runs the tasks of all parts in their order, as many at a time as there are runners. */
export async function runParts(parts: readonly PartTasks[], runners: readonly RemoteRunner[]): Promise<void> {
  const queue = parts.flatMap((part) => part.tasks.map((task) => ({ part, task }))).values();
  const work = async (runner: RemoteRunner): Promise<void> => {
    let age = 0;
    // All take from the same iterator.
    for (const { part, task } of queue) {
      if (age === LIFE) {
        await runner.end().catch(() => {});
        age = 0;
      }
      age += 1;
      await runTask(task, part, runner);
    }
  };
  await Promise.all(runners.map(work));
}
