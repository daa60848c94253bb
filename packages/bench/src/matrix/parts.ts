/** What each device of the matrix runs: the suite, primitives, random trees and random pipelines. */
import { type Check, checksOf, type Effort, SHARES } from "@groupwise/testkit";
import {
  FLOAT_TYPES,
  type FuzzReport,
  type FuzzRequest,
  lineOf,
  SEED,
  TREES_TOGETHER,
} from "@groupwise/testkit/random";
import { PartCount } from "./count.ts";
import type { PartLimits, PartTasks, Task } from "./jobs.ts";

/** The part of the trees of each type. */
const TREES = { f16: 1 / 4, f32: 1 / 2, f64: 1 / 4 } as const;
/** Cases of a seed. The last of so many trees have collectives. */
const TREES_OF_SEED = 192;
const PIPELINES_OF_SEED = 48;

/** Those of small shares first: they represent the others if the time is over before all ran. */
const rankOf = ({ share }: Check): number => (share === undefined ? SHARES.length : SHARES.indexOf(share));

export const suiteOf = (effort: Effort, limits: PartLimits): PartTasks =>
  checksTasks(
    checksOf(effort).toSorted((a, b) => rankOf(a) - rankOf(b)),
    limits,
  );

export function checksTasks(checks: readonly Check[], limits: PartLimits): PartTasks {
  const count = new PartCount();
  const tasks = checks.map(
    (check): Task => ({
      cases: 1,
      name: () => check.name,
      run: async (runner) => {
        const { failures, unsupported } = await runner.run(check);
        if (unsupported !== undefined) count.refuse(unsupported);
        else if (failures.length === 0) count.pass();
        else count.fail(`${check.name}: ${failures[0]}`);
      },
    }),
  );
  return { count, limits, tasks };
}

function note(count: PartCount, { ran, differing, unsupported, reason, findings }: FuzzReport): void {
  count.pass(ran - differing);
  if (unsupported > 0) count.refuse(reason ?? "", unsupported);
  const [first] = findings;
  const others = differing > 1 ? `; ${differing} of ${ran} differ` : "";
  if (first) count.fail(`${first.where}: ${first.what}${others}`, differing);
}

/** Tasks of random cases. */
function fuzzed(requests: readonly FuzzRequest[], limits: PartLimits): PartTasks {
  const count = new PartCount();
  const tasks = requests.map(({ options, ...request }): Task => {
    const { from: first = 0, count: cases } = options;
    return {
      cases,
      name: (from, some) => lineOf({ ...request, options }, first + from, some),
      run: async (runner, from, some) =>
        note(
          count,
          await runner.fuzz({ ...request, options: { ...options, from: first + from, count: some } }),
        ),
    };
  });
  return { count, limits, tasks };
}

/** A number of cases, in tasks of those that run together. */
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
      chunked(Math.round(total * TREES[type]), TREES_TOGETHER, TREES_OF_SEED).map((one) => ({
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
    chunked(total, batch, PIPELINES_OF_SEED).map((one) => ({
      kind: "pipelines",
      options: { ...one, ...FEW, size: "small", batch },
    })),
    limits,
  );
