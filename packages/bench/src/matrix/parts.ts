/** What each device of the matrix runs: the suite, random trees and random pipelines. */
import { type Check, checksOf, type Effort, SHARES } from "@groupwise/testkit";
import { FLOAT_TYPES, type FuzzReport, type FuzzRequest, SEED } from "@groupwise/testkit/random";
import { PartCount } from "./count.ts";
import type { PartLimits, PartTasks, Task } from "./jobs.ts";

/** The part of the trees of each type. */
const TREES = { f16: 1 / 4, f32: 1 / 2, f64: 1 / 4 } as const;
/** Trees of a task: the last of so many have collectives. */
const TREES_OF_TASK = 192;
/** Pipelines of a seed. A task has fewer, so that all processes end at about the same time, except where a batch would be smaller. */
const PIPELINES = { seed: 48, task: 8 };
/** Seconds after which a request begins no new case, so that its answer comes in time; another one has the rest. */
const REQUEST = 60;

/** Those of small shares first: they represent the others if the time is over before all ran. */
const rankOf = ({ share }: Check): number => (share === undefined ? SHARES.length : SHARES.indexOf(share));

export function suiteOf(effort: Effort, limits: PartLimits): PartTasks {
  const count = new PartCount();
  const checks = checksOf(effort).toSorted((a, b) => rankOf(a) - rankOf(b));
  const tasks = checks.map(
    (check): Task => ({
      name: check.name,
      cases: 1,
      run: async (runner) => {
        const { failures, unsupported } = await runner.run(check);
        if (unsupported !== undefined) count.refuse(unsupported);
        else if (failures.length === 0) count.pass();
        else count.fail(`${check.name}: ${failures[0]}`);
        return 1;
      },
    }),
  );
  return { count, limits, tasks };
}

function note(count: PartCount, { ran, differing, unsupported, reason, findings }: FuzzReport): void {
  count.pass(ran - differing);
  if (unsupported > 0) count.refuse(reason ?? "", unsupported);
  for (const { where, what } of findings) count.fail(`seed "${where}": ${what}`, 0);
  if (differing > 0) count.fail(`${differing} of ${ran} differ`, differing);
}

/** Tasks of random cases. */
function fuzzed(requests: readonly FuzzRequest[], limits: PartLimits): PartTasks {
  const count = new PartCount();
  const tasks = requests.map(({ options, ...request }): Task => {
    const { seed, from = 0, count: cases } = options;
    return {
      name: `${[request.kind, request.type].filter(Boolean).join(" ")}, seed "${seed}" from ${from}`,
      cases,
      run: async (runner, done) => {
        const rest = { from: from + done, count: cases - done };
        const seconds = Math.min(REQUEST, limits.remaining());
        const report = await runner.fuzz({ ...request, options: { ...options, ...rest, seconds } });
        note(count, report);
        return report.ran + report.unsupported;
      },
    };
  });
  return { count, limits, tasks };
}

/** A number of cases, in tasks. */
const chunked = (
  total: number,
  task: number,
  seed: number,
): { readonly seed: string; readonly from: number; readonly count: number }[] =>
  Array.from({ length: Math.ceil(total / task) }, (_, i) => ({
    seed: `${SEED} ${Math.floor((i * task) / seed)}`,
    from: (i * task) % seed,
    count: Math.min(task, total - i * task),
  }));

const FEW = { most: 1, shrinkSeconds: 10 };

export const treesOf = (total: number, limits: PartLimits): PartTasks =>
  fuzzed(
    FLOAT_TYPES.flatMap((type) =>
      chunked(Math.round(total * TREES[type]), TREES_OF_TASK, TREES_OF_TASK).map((one) => ({
        kind: "expressions",
        type,
        options: { ...one, ...FEW },
      })),
    ),
    limits,
  );

/** @param batch pipelines that are compiled as one */
export const pipelinesOf = (total: number, batch: number, limits: PartLimits): PartTasks =>
  fuzzed(
    chunked(total, batch === 1 ? PIPELINES.task : PIPELINES.seed, PIPELINES.seed).map((one) => ({
      kind: "pipelines",
      options: { ...one, ...FEW, size: "small", batch },
    })),
    limits,
  );
