/** A program of ranks that runs pipelines over parts of all items, under several cuts. */
import { type ArrayType, check, type Pipeline } from "@groupwise/core";
import { roundsOf } from "@groupwise/core/state";
import { arraySpec } from "@groupwise/core/target";

/** One output in C. */
export interface LayoutOutput {
  readonly name: string;
  readonly type: ArrayType;
  readonly bytes: number;
  readonly isPerItem: boolean;
  /** Whether items append its elements. */
  readonly isAppended: boolean;
}

/** The arrays of a pipeline in C. */
export interface Layout {
  /** The function over a chunk, which begins the names of the others. */
  readonly symbol: string;
  readonly file: string;
  /** Bytes of an element of each input. */
  readonly inputs: readonly number[];
  /** In the order of the arguments. */
  readonly outputs: readonly LayoutOutput[];
  /** Whether ranks run it chunk by chunk in one round from the first item on. */
  readonly isPlain: boolean;
}

/** Of a pipeline without parameters and tables. */
export function layoutOf(pipeline: Pipeline): Layout {
  const { inputs, sinks, types, uniformities } = check(pipeline);
  const outputs = sinks.map((sink): LayoutOutput => {
    const isAppended = sink.kind === "scatter";
    const type = (sink.as ?? types[sink.id]) as ArrayType;
    const isPerItem = !isAppended && uniformities[sink.id] === "item";
    return { name: sink.name, type, bytes: bytesOf(type), isPerItem, isAppended };
  });
  const { list, order, items } = roundsOf(pipeline, { knowsCount: true });
  return {
    symbol: `gw_${pipeline.name.replaceAll("-", "_")}`,
    file: `gw_${pipeline.name}`,
    inputs: inputs.map(({ type }) => bytesOf(type)),
    outputs: [...outputs.filter((one) => !one.isAppended), ...outputs.filter((one) => one.isAppended)],
    isPlain: list.length === 1 && order === "forwards" && !items,
  };
}

const bytesOf = (type: ArrayType): number => new (arraySpec(type).array)(1).byteLength;

/** One run of a pipeline: a line of the arguments of the program. */
export interface Cut {
  /** The number of the pipeline, and its items. */
  readonly pipeline: number;
  readonly n: number;
  /** The file of its inputs, one after the other. */
  readonly input: string;
  /** How items are distributed over the ranks. */
  readonly spread: "unequal" | "last" | "equal";
  /** Items of a chunk; 0: one call of the function over all ranks. */
  readonly chunk: number;
}

const SPREADS: readonly Cut["spread"][] = ["unequal", "last", "equal"];

/** The arguments of the program: the file of all outputs, then each cut. */
export const wordsOf = (output: string, cuts: readonly Cut[]): readonly string[] => [
  output,
  ...cuts.flatMap(({ pipeline, n, input, spread, chunk }) =>
    [pipeline, n, input, SPREADS.indexOf(spread), chunk].map(String),
  ),
];

const list = (values: readonly (number | boolean)[]): string => values.map(Number).join(", ") || "0";

/** The arguments for the outputs in a call. @param of the arguments of an output */
const listed = (outputs: readonly LayoutOutput[], of: (one: LayoutOutput, k: number) => string): string =>
  outputs.map((one, k) => of(one, k)).join("");

/** The functions of one pipeline. */
function shape({ symbol, inputs, outputs, isPlain }: Layout, i: number): string {
  const read = (from: string): string =>
    inputs.map((bytes, k) => `, (void *)(in[${k}] + ${from} * ${bytes})`).join("");
  const plain = ({ bytes, isPerItem }: LayoutOutput, k: number, from: string): string =>
    isPerItem ? `, (void *)(out[${k}] + ${from} * ${bytes})` : `, (void *)out[${k}]`;
  const whole = listed(outputs, (one, k) =>
    one.isAppended ? `, (void *)out[${k}], n, &length[${k}], &place[${k}]` : plain(one, k, "0"),
  );
  const chunk = listed(outputs, (one, k) =>
    one.isAppended
      ? `, (void *)(out[${k}] + length[${k}] * ${one.bytes}), n - length[${k}], &more[${k}]`
      : plain(one, k, "at"),
  );
  const alone = listed(outputs, (one, k) => (one.isAppended ? "" : plain(one, k, "at")));
  const totals = listed(outputs, ({ isPerItem, isAppended }, k) =>
    isPerItem || isAppended ? "" : `, (void *)out[${k}]`,
  );
  const places = listed(outputs, ({ isAppended, name }, k) =>
    isAppended ? `\n  length[${k}] = 0, place[${k}] = before.elements_of_${name};` : "",
  );
  const appended = listed(outputs, ({ isAppended }, k) =>
    isAppended ? `\n    length[${k}] += more[${k}];` : "",
  );
  const all = `return ${symbol}_mpi(MPI_COMM_WORLD, n${read("0")}${whole});`;
  const steps = `
  if (chunk == 0) ${all}
  uint64_t from;
  int status = DEVICE(${symbol});
  if (status == GW_OK) status = ${symbol}_mpi_first(MPI_COMM_WORLD, n, &from);
  if (status != GW_OK) return status;
  struct ${symbol}_state own, part, before;
  ${symbol}_start(&own, from);
  for (size_t at = 0; at < n && status == GW_OK; at += chunk) {
    const size_t count = n - at < chunk ? n - at : chunk;
    status = ${symbol}_state_of(from + at, count${read("at")}${alone}, &part);
    if (status == GW_OK) status = ${symbol}_merge(&own, &part, &own);
  }
  status = ${symbol}_mpi_before(MPI_COMM_WORLD, status, &own, &before);
  if (status != GW_OK) return status;${places}
  size_t at = 0;
  do {
    const size_t count = n - at < chunk ? n - at : chunk;
    status = ${symbol}_step(&before, count${read("at")}${chunk}, &before);${appended}
    at += count;
  } while (at < n && status == GW_OK);
  return ${symbol}_mpi_share(MPI_COMM_WORLD, status${totals});`;
  return `
static int run_${i}(size_t n, size_t chunk) {${isPlain ? steps : `\n  (void)chunk;\n  ${all}`}
}
static const size_t in_bytes_${i}[] = {${list(inputs)}}, out_bytes_${i}[] = {${list(outputs.map(({ bytes }) => bytes))}};
static const int kinds_${i}[] = {${list(outputs.map(kindOf))}};`;
}

/** How many elements a rank has: one for the range, one for each item, or those that its items append. */
const kindOf = ({ isPerItem, isAppended }: LayoutOutput): number => (isAppended ? 2 : Number(isPerItem));

/**
 * A program that runs parts of all items under cuts, and writes the results of all ranks in order. It ends the job if a
 * function fails, or if
 * ranks have different results of a reduce, or wrong positions of appended elements.
 * @param hasDevice of `--target opencl --mpi`
 */
export function ranksMain(layouts: readonly Layout[], hasDevice: boolean): string {
  const most = Math.max(...layouts.flatMap(({ inputs, outputs }) => [inputs.length, outputs.length]));
  const rows = layouts.map(
    ({ inputs, outputs }, i) =>
      `  {${inputs.length}, ${outputs.length}, in_bytes_${i}, out_bytes_${i}, kinds_${i}, run_${i}},`,
  );
  return `${layouts.map(({ file }) => `#include "${file}_mpi.h"`).join("\n")}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DEVICE(symbol) ${hasDevice ? "symbol ## _mpi_device(MPI_COMM_WORLD, -1)" : "GW_OK"}
enum { MOST = ${most} };
static char *in[MOST], *out[MOST];
// Of appended elements: their number, the position of the first one, and the number of those of a chunk.
uint64_t length[MOST], place[MOST], more[MOST];
static int rank, ranks;
${layouts.map(shape).join("\n")}
static const struct shape {
  int inputs, outputs;
  const size_t *in_bytes, *out_bytes;
  const int *kinds;
  int (*run)(size_t n, size_t chunk);
} SHAPES[] = {
${rows.join("\n")}
};
${COMMON}`;
}

const COMMON = `
static size_t cut(size_t n, int spread, int r) {
  if (spread == 1) return r == ranks ? n : 0;
  if (spread == 2) return n / (size_t)ranks * (size_t)r + (r == ranks ? n % (size_t)ranks : 0);
  if (ranks > 3 && r == 3) r = 2; // the third rank has no items
  return (size_t)((double)n * r * r / ranks / ranks);
}
static void give(FILE *file, const char *array, size_t element, int kind, size_t n, size_t items, uint64_t position) {
  static int counts[1024], starts[1024];
  static uint64_t positions[1024];
  const int bytes = (int)(element * (kind == 0 ? 1 : n));
  if (kind == 0) {
    // Every rank has the result.
    char *all = malloc((size_t)(ranks * bytes));
    MPI_Gather(array, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < ranks; r++)
      if (memcmp(all + r * bytes, all, (size_t)bytes) != 0) MPI_Abort(MPI_COMM_WORLD, 4);
    if (rank == 0) fwrite(all, 1, (size_t)bytes, file);
    free(all);
    return;
  }
  MPI_Gather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
  int size = 0;
  MPI_Gather(&position, 1, MPI_UINT64_T, positions, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  for (int r = 0; rank == 0 && r < ranks; size += counts[r++]) {
    starts[r] = size;
    if (kind == 2 && positions[r] * element != (uint64_t)size) MPI_Abort(MPI_COMM_WORLD, 5);
  }
  char *all = malloc((size_t)size + 1);
  MPI_Gatherv(array, bytes, MPI_BYTE, all, counts, starts, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 0) fwrite(all, 1, (size_t)size, file);
  free(all);
  for (size_t zeros = element * items - (size_t)size; kind == 2 && rank == 0 && zeros > 0; zeros--) fputc(0, file);
}
static void run(const struct shape *one, size_t items, const char *path, int spread, size_t chunk, FILE *output) {
  const size_t from = cut(items, spread, rank), n = cut(items, spread, rank + 1) - from;
  FILE *input = fopen(path, "rb");
  if (input == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  long start = 0;
  for (int k = 0; k < one->inputs; start += (long)(items * one->in_bytes[k++])) {
    in[k] = malloc(one->in_bytes[k] * n + 1);
    fseek(input, start + (long)(from * one->in_bytes[k]), SEEK_SET);
    if (n > 0 && fread(in[k], one->in_bytes[k], n, input) != n) MPI_Abort(MPI_COMM_WORLD, 3);
  }
  fclose(input);
  for (int k = 0; k < one->outputs; k++) out[k] = malloc(one->out_bytes[k] * (one->kinds[k] != 0 ? n : 1) + 1);
  const int status = one->run(n, chunk);
  if (status != GW_OK) MPI_Abort(MPI_COMM_WORLD, 10 + status);
  for (int k = 0; k < one->outputs; k++) {
    const int kind = one->kinds[k];
    give(output, out[k], one->out_bytes[k], kind, kind == 2 ? (size_t)length[k] : n, items, place[k]);
  }
  for (int k = 0; k < one->inputs; k++) free(in[k]);
  for (int k = 0; k < one->outputs; k++) free(out[k]);
}
int main(int count, char **words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  FILE *output = rank == 0 ? fopen(words[1], "wb") : NULL;
  for (int i = 2; i + 4 < count; i += 5)
    run(&SHAPES[atoi(words[i])], strtoul(words[i + 1], NULL, 10), words[i + 2], atoi(words[i + 3]),
        strtoul(words[i + 4], NULL, 10), output);
  if (rank == 0) fclose(output);
  MPI_Finalize();
  return 0;
}
`;
