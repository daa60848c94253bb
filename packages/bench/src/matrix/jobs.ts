/** The tasks of a row, which its device processes take from one queue. */
import type { RemoteRunner } from "@groupwise/testkit/remote";
import type { PartCount } from "./count.ts";

/** What limits a part. */
export interface PartLimits {
  /** Seconds that are left to begin something new. */
  remaining(): number;
  say(line: string): void;
}

/** What a device process takes at once: cases that run as one. */
export interface Task {
  readonly cases: number;
  /** For progress and failures; of random cases the arguments that run them alone. */
  name(from: number, cases: number): string;
  /** Runs cases from a number on, and then notes them. */
  run(runner: RemoteRunner, from: number, cases: number): Promise<void>;
}

/** The tasks of a part. */
export interface PartTasks {
  readonly count: PartCount;
  readonly limits: PartLimits;
  readonly tasks: readonly Task[];
}

/**
 * Runs cases of a task. If their process ends or does not answer, another one runs each half, and a single case once more: it fails if this one
 * ends too.
 */
async function runCases(
  task: Task,
  part: PartTasks,
  runner: RemoteRunner,
  [from, cases]: readonly [number, number] = [0, task.cases],
  isAgain = false,
): Promise<void> {
  const { count, limits } = part;
  if (limits.remaining() <= 0) return count.leave(cases);
  const name = task.name(from, cases);
  limits.say(name);
  try {
    await task.run(runner, from, cases);
  } catch (error) {
    count.end();
    if (isAgain) return count.fail(`${name}: ${(error as Error).message ?? error}`);
    const half = cases >> 1;
    if (half > 0) await runCases(task, part, runner, [from, half]);
    await runCases(task, part, runner, [from + half, cases - half], half === 0);
  }
}

/** Runs the tasks of all parts in their order, as many at a time as there are runners. */
export async function runParts(parts: readonly PartTasks[], runners: readonly RemoteRunner[]): Promise<void> {
  const queue = parts.flatMap((part) => part.tasks.map((task) => ({ part, task }))).values();
  const work = async (runner: RemoteRunner): Promise<void> => {
    // All take from the same iterator.
    for (const { part, task } of queue) {
      part.count.time();
      await runCases(task, part, runner);
      part.count.time();
    }
  };
  await Promise.all(runners.map(work));
}
