/** A program of ranks that runs a pipeline over parts of all items, and what its results are compared with. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostArray } from "@groupwise/core";
import { ARRAYS, callFrom, inputsOf, numbers, outputBytes, raw } from "./carried.ts";
import type { Mpi } from "./libraries.ts";

/**
 * Runs parts of all items under several cuts, and writes what all ranks gave in order. A cut is how items are spread (0: unequally,
 * with an empty rank; 1: all on the last rank) and the length of chunks (0: one call).
 */
export const RANKS_MAIN: string = `#include "gw_carried_mpi.h"
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
export const CUTS: readonly string[] = ["0 0", "0 1000", "0 1", "1 0", "1 77"];
export const FULL_CUTS: readonly string[] = [...CUTS, "0 65536", "1 1"];
/** More items than a chunk of 2^20 + 7 has, so that parts of few ranks are several chunks. The first cut opens a device. */
export const LONG: Pick<Whole, "n" | "cuts"> = { n: 2_200_013, cuts: ["0 0", "0 65536", "0 1048583"] };

/** All items, and what one run over them gives. */
export interface Whole {
  readonly n: number;
  readonly cuts: readonly string[];
  readonly want: Uint8Array;
}

/**
 * Writes the inputs of all items into a folder.
 * @param run one run over them
 */
export async function writeItems(
  { n, cuts }: Pick<Whole, "n" | "cuts">,
  folder: string,
  run: (values: Readonly<Record<string, HostArray>>) => Promise<object>,
): Promise<Whole> {
  const values = inputsOf(n, numbers(11));
  writeFileSync(join(folder, "in"), Buffer.concat(Object.values(values).map(raw)));
  return { n, cuts, want: Buffer.concat(outputBytes(await run(values))) };
}

/** How a program ended if it failed, and the cuts under which its results differ; empty if there are none. */
export async function problemsOf(
  { n, cuts, want }: Whole,
  mpi: Mpi,
  ranks: number,
  folder: string,
  env?: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const words = [String(n), "in", "out", ...cuts.flatMap((cut) => cut.split(" "))];
  const { code, stderr } = await mpi.run(ranks, "./ranks", words, folder, env);
  if (code !== 0) return [`${ranks} ranks ended with ${code}: ${stderr}`];
  const got = readFileSync(join(folder, "out"));
  if (got.length !== cuts.length * want.length) return [`${ranks} ranks wrote ${got.length} bytes`];
  const bytesAt = (i: number): Uint8Array => got.subarray(i * want.length, (i + 1) * want.length);
  return cuts.filter((_, i) => Buffer.compare(bytesAt(i), want) !== 0).map((cut) => `${ranks} ranks, ${cut}`);
}
