/** Ranks of MPI give the bits of one run in JavaScript, however the items are spread and the library combines. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PipelineSource } from "@groupwise/core";
import { f64, pipeline } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { emitMpi } from "../src/mpi.ts";
import { STATUSES } from "../src/print/names.ts";
import { ARRAYS, callFrom, carried, inputsOf, numbers, outputBytes, raw } from "./carried.ts";
import { findMpi, LIBRARIES, type Mpi } from "./mpi-libraries.ts";
import { compiled, emptyFolder, STRICT } from "./support.ts";

/**
 * Runs parts of all items under several cuts, and writes what all ranks gave in order. A cut is how items are spread (0: unequally,
 * with an empty rank; 1: all on the last rank) and the length of chunks (0: one call).
 */
const MAIN = `#include "gw_carried_mpi.h"
${ARRAYS}
static int rank, ranks;
static int whole_or_chunks(size_t n, size_t chunk) {
  if (chunk == 0) return gw_carried_mpi(MPI_COMM_WORLD, n, ${callFrom("0")});
  uint64_t from;
  int status = gw_carried_mpi_first(MPI_COMM_WORLD, n, &from);
  if (status != GW_OK) return status;
  struct gw_carried_state own, part, before;
  gw_carried_start(&own, from);
  for (size_t at = 0; at < n && status == GW_OK; at += chunk) {
    const size_t count = n - at < chunk ? n - at : chunk;
    status = gw_carried_state_of(from + at, count, ${callFrom("at")}, &part);
    if (status == GW_OK) status = gw_carried_merge(&own, &part, &own);
  }
  status = gw_carried_mpi_before(MPI_COMM_WORLD, status, &own, &before);
  if (status != GW_OK) return status;
  size_t at = 0;
  do {
    const size_t count = n - at < chunk ? n - at : chunk;
    status = gw_carried_step(&before, count, ${callFrom("at")}, &before);
    at += count;
  } while (at < n && status == GW_OK);
  return gw_carried_mpi_share(MPI_COMM_WORLD, status, (void *)out[10], (void *)out[11], (void *)out[12]);
}
static size_t cut(size_t n, int mode, int r) {
  if (mode == 1) return r == ranks ? n : 0;
  if (ranks > 3 && r == 3) r = 2; // the third rank has no items
  return (size_t)((double)n * r * r / ranks / ranks);
}
static void give(FILE *file, int i, size_t n) {
  static int counts[64], starts[64];
  const int bytes = (int)out_bytes(i, n);
  if (!PER_ITEM[i]) {
    // Every rank has the result.
    char *all = malloc((size_t)(ranks * bytes));
    MPI_Gather(out[i], bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < ranks; r++)
      if (memcmp(all + r * bytes, all, (size_t)bytes) != 0) MPI_Abort(MPI_COMM_WORLD, 4);
    if (rank == 0) fwrite(all, 1, (size_t)bytes, file);
    free(all);
    return;
  }
  MPI_Gather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
  int size = 0;
  for (int r = 0; rank == 0 && r < ranks; size += counts[r++]) starts[r] = size;
  char *all = malloc((size_t)size + 1);
  MPI_Gatherv(out[i], bytes, MPI_BYTE, all, counts, starts, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 0) fwrite(all, 1, (size_t)size, file);
  free(all);
}
int main(int count, char **words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const size_t items = strtoul(words[1], NULL, 10);
  FILE *input = fopen(words[2], "rb"), *output = rank == 0 ? fopen(words[3], "wb") : NULL;
  for (int i = 4; i + 1 < count; i += 2) {
    const int mode = atoi(words[i]);
    const size_t from = cut(items, mode, rank), n = cut(items, mode, rank + 1) - from;
    make(n);
    long start = 0;
    for (int k = 0; k < INPUTS; start += (long)(items * IN_BYTES[k++])) {
      fseek(input, start + (long)(from * IN_BYTES[k]), SEEK_SET);
      if (n > 0 && fread(in[k], IN_BYTES[k], n, input) != n) MPI_Abort(MPI_COMM_WORLD, 3);
    }
    const int status = whole_or_chunks(n, strtoul(words[i + 1], NULL, 10));
    if (status != GW_OK) MPI_Abort(MPI_COMM_WORLD, 10 + status);
    for (int k = 0; k < OUTPUTS; k++) give(output, k, n);
    drop();
  }
  if (rank == 0) fclose(output);
  fclose(input);
  MPI_Finalize();
  return 0;
}
`.replace("#include <stdlib.h>", "#include <stdlib.h>\n#include <string.h>");

/** The spread of items and the length of chunks. */
const CUTS = ["0 0", "0 1000", "0 1", "1 0", "1 77"];
const FULL_CUTS = [...CUTS, "0 65536", "0 1048583", "1 1"];
const RANKS = isFullRun() ? [1, 2, 3, 5, 8, 13, 16] : [3];

async function build({ compiler }: Mpi, source: PipelineSource, main: string): Promise<string> {
  const folder = emptyFolder();
  const { files } = emitMpi(source);
  const sources = files
    .map(({ path }) => path)
    .filter((path) => /\.c$/.test(path) && !/_main\.c$/.test(path));
  for (const { path, text } of [...files, { path: "ranks.c", text: main }])
    writeFileSync(join(folder, path), text);
  const args = [
    ...STRICT,
    isFullRun() ? "-O2" : "-O0",
    "-ffp-contract=off",
    ...sources,
    "ranks.c",
    "-o",
    "ranks",
  ];
  expect(await compiled(compiler, args, folder)).toBe("");
  return folder;
}

for (const library of isFullRun() ? LIBRARIES : LIBRARIES.slice(0, 2))
  deviceTest(
    `${library.name}: ${RANKS.join(", ")} ranks`,
    () => findMpi(library),
    async (mpi) => {
      const folder = await build(mpi, carried, MAIN);
      const n = isFullRun() ? 70001 : 3001;
      const values = inputsOf(n, numbers(11));
      writeFileSync(join(folder, "in"), Buffer.concat(Object.values(values).map(raw)));
      const whole = await (await jsRuntime().compile(carried)).run(values as never);
      const want = Buffer.concat(outputBytes(whole));
      const cuts = isFullRun() ? FULL_CUTS : CUTS;
      const words = cuts.flatMap((cut) => cut.split(" "));
      for (const ranks of RANKS) {
        const { code, stderr } = await mpi.run(ranks, "./ranks", [String(n), "in", "out", ...words], folder);
        expect([ranks, code, code === 0 ? "" : stderr]).toEqual([ranks, 0, ""]);
        const got = readFileSync(join(folder, "out"));
        expect(got.length).toBe(cuts.length * want.length);
        const differing = cuts.filter(
          (_, i) => !want.equals(got.subarray(i * want.length, (i + 1) * want.length)),
        );
        expect([ranks, ...differing]).toEqual([ranks]);
      }
    },
  );

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
    const folder = await build(mpi, many, CASES);
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
