import { f64, param, pipeline, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import {
  CUTS,
  carried,
  carriedMain,
  FULL_CUTS,
  findMpi,
  LIBRARIES,
  LONG,
  picked,
  problemsOf,
  SELECTIONS,
  writeItems,
  writePicked,
} from "@groupwise/testkit/mpi";
import { expect } from "vitest";
import { DEVICE_STATUSES, STATUSES } from "../src/print/names.ts";
import { build } from "./mpi.ts";

// In other runs MPICH has those that read their items again.
for (const library of isFullRun() ? LIBRARIES : LIBRARIES.slice(0, 1)) {
  const ranks = isFullRun() ? library.ranks : [3];
  deviceTest(
    `${library.name}: ${ranks.join(", ")} ranks`,
    () => findMpi(library),
    async (mpi) => {
      const folder = await build(mpi, [carried, picked], carriedMain(false));
      const sizes = isFullRun() ? [{ n: 70001, cuts: FULL_CUTS }, LONG] : [{ n: 3001, cuts: CUTS }];
      for (const size of sizes) {
        const whole = await writeItems(size, folder, async (values) =>
          (await jsRuntime().compile(carried)).run(values as never),
        );
        const some = size === LONG ? ranks.filter((count) => count === 3 || count === 64) : ranks;
        const appending = SELECTIONS.map((selection) => writePicked(size, selection, folder));
        for (const count of some)
          expect(await problemsOf([whole, ...appending], mpi, count, folder)).toEqual([]);
      }
    },
  );
}

const many = pipeline("many", {}, () => ({ total: f64(0.1).perItem().reduce("add") }));

/** Two ranks: what each returns, and the total of both where there is one. */
const CASES = `#include "gw_many_mpi.h"
#include <stdio.h>
#include <stdlib.h>
static int status_of(int mode, int rank, uint64_t n, double *total) {
  if (mode == 0) return gw_many_mpi(MPI_COMM_WORLD, n, total);
  uint64_t from;
  if (mode == 1) return gw_many_mpi_first(MPI_COMM_WORLD, rank == 0 ? 1 : UINT64_MAX, &from);
  struct gw_many_state own, before;
  // A range that does not begin where the one before ends, or another failure of one rank.
  gw_many_start(&own, (uint64_t)(mode == 2 && rank == 1));
  return gw_many_mpi_before(MPI_COMM_WORLD, mode == 3 && rank == 1 ? GW_NO_MEMORY : GW_OK, &own, &before);
}
int main(int count, char **words) {
  int rank, statuses[2];
  double total = 0;
  MPI_Init(&count, &words);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i + 2 < count; i += 3) {
    const int status = status_of(atoi(words[i]), rank, strtoull(words[i + 1 + rank], NULL, 10), &total);
    MPI_Gather(&status, 1, MPI_INT, statuses, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d %d %.17g\\n", statuses[0], statuses[1], total);
  }
  MPI_Finalize();
  return 0;
}
`;

/** The total of so many items, from the blocks of the cover: those of 2^level items are exact multiples. */
function totalOf(items: bigint): number {
  let sum = 0;
  for (let level = 40n; level >= 0n; level--) if ((items >> level) & 1n) sum += 0.1 * 2 ** Number(level);
  return sum;
}

deviceTest(
  "one rank's failure is the status of all; counts have 64 bits",
  () => findMpi(LIBRARIES[0]),
  async (mpi) => {
    const folder = await build(mpi, [many], CASES);
    const calls: (readonly [number, bigint, bigint])[] = [
      [1, 0n, 0n],
      [2, 0n, 0n],
      [3, 0n, 0n],
      [0, 0n, 0n],
      [0, 3n, 1000n],
    ];
    if (isFullRun()) calls.push([0, 2n ** 31n + 7n, 2n ** 31n + 1n]);
    const { stdout } = await mpi.run(2, "./ranks", calls.flat().map(String), folder);
    const statuses = ["GW_TOO_MANY_ITEMS", "GW_BAD_STATE", "GW_NO_MEMORY"].map((name) =>
      STATUSES.findIndex(([known]) => known === name),
    );
    const totals = calls.slice(statuses.length).map(([, one, other]) => `0 0 ${totalOf(one + other)}`);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" ").map(Number).join(" "));
    expect(lines).toEqual([...statuses.map((code) => `${code} ${code} 0`), ...totals]);
  },
);

const kept = pipeline("kept", { x: f64 }, ({ x }) => {
  const where = x.gt(0);
  const to = where.toU32().scanExclusive("add");
  return { y: x.scatter({ to, where, length: where.toU32().reduce("add") }) };
});

const rows = pipeline(
  "rows",
  { x: f64, width: param(u32, { divides: true }) },
  ({ x, width }, { index }) => ({ sums: x.scanInclusive("add", { segments: index().rem(width).eq(0) }) }),
);

/**
 * Three ranks of 4, 0 and 5 items, of which 3, 0 and 2 are positive. Each argument is the rank whose array is one element too short. The last
 * lines are statuses of rows of 0, 2 and 3 items.
 */
const LACKING = `#include "gw_kept_mpi.h"
#include "gw_rows_mpi.h"
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
  static const double x[3][5] = {{1, -1, 2, 3}, {0}, {-4, 5, -6, -7, 8}};
  static const uint64_t n[] = {4, 0, 5}, need[] = {3, 0, 2};
  int rank;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 1; i < count; i++) {
    double y[5] = {0, 0, 0, 0, 0};
    const uint64_t room = need[rank] - (uint64_t)(atoi(words[i]) == rank);
    uint64_t got[3] = {9, 9, 9}, all[9];
    got[0] = (uint64_t)gw_kept_mpi(MPI_COMM_WORLD, n[rank], x[rank], room > 0 ? y : NULL, room, &got[1], &got[2]);
    MPI_Gather(got, 3, MPI_UINT64_T, all, 3, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    double ends[3];
    const double end = room > 0 ? y[room - 1] * 10 + y[room] : -1;
    MPI_Gather(&end, 1, MPI_DOUBLE, ends, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int r = 0; r < 3 && rank == 0; r++)
      printf("%d %d %d %g%c", (int)all[3 * r], (int)all[3 * r + 1], (int)all[3 * r + 2], ends[r], r < 2 ? ' ' : 10);
  }
  for (uint32_t width = 0; width < 4; width += width == 0 ? 2 : 1) {
    double sums[5];
    int statuses[3];
    const int status = gw_rows_mpi(MPI_COMM_WORLD, n[rank], width, x[rank], sums);
    MPI_Gather(&status, 1, MPI_INT, statuses, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d %d %d\\n", statuses[0], statuses[1], statuses[2]);
  }
  MPI_Finalize();
  return 0;
}
`;

deviceTest(
  "a rank with too little room is a status of all, with the lengths and positions of each; so is a parameter that does not divide all items",
  () => findMpi(LIBRARIES[0]),
  async (mpi) => {
    const folder = await build(mpi, [kept, rows], LACKING);
    const { stdout } = await mpi.run(3, "./ranks", ["3", "0", "2"], folder);
    const lines = stdout.trim().split("\n");
    const outside = STATUSES.findIndex(([name]) => name === "GW_OUTSIDE");
    // The last element of each rank, and no element after the room.
    expect(lines[0]).toBe("0 3 0 30 0 0 3 -1 0 2 3 80");
    const numbers = lines.slice(1).map((line) => line.split(" ").map(Number));
    const undivided = STATUSES.length + DEVICE_STATUSES.length;
    expect(numbers.slice(-3)).toEqual([undivided, undivided, 0].map((status) => [status, status, status]));
    const found = numbers.slice(0, -3);
    for (const values of found) {
      expect([0, 4, 8].map((i) => values[i])).toEqual([outside, outside, outside]);
      expect([1, 5, 9].map((i) => values[i])).toEqual([3, 0, 2]);
      expect([2, 6, 10].map((i) => values[i])).toEqual([0, 3, 3]);
    }
    expect(found.map((values) => (values[3] as number) % 10)).toEqual([0, 0]);
  },
);
