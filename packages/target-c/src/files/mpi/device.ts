/** The functions for the device of each rank. */
import type { Text } from "@groupwise/core/kernel";
import { lines } from "../state/lines.ts";
import type { RanksC } from "../state/ranks.ts";

/** The function that opens the device of each rank; with several rounds, also those for the devices of all. */
export function printDevice(text: Text, { given: { symbol, device }, earlier }: RanksC): void {
  if (!device) return;
  const all = [...earlier.map(({ loops }) => loops.symbol), symbol];
  const opened =
    all.length === 1
      ? `const int status = agreed(comm, ${symbol}_device_open(device, rank, ranks));`
      : `
// The rounds share the memory of the device, as ranks do.
ranks *= ${all.length};
int status = ${all[0]}_device_open(device, rank, ranks);
${all
  .slice(1)
  .map((one) => `if (status == GW_OK) status = ${one}_device_open(device, rank, ranks);`)
  .join("\n")}
status = agreed(comm, status);
`;
  text.block(`int ${symbol}_mpi_device(MPI_Comm comm, int device) {`, () => {
    lines(
      text,
      `
const MPI_Errhandler handler = end_on_errors(comm);
MPI_Comm machine;
int rank, ranks;
MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
MPI_Comm_rank(machine, &rank);
MPI_Comm_size(machine, &ranks);
MPI_Comm_free(&machine);
`,
    );
    lines(text, opened);
    text.line("restore(comm, handler);");
    text.line("return status;");
  });
  text.line();
  if (all.length > 1) printOthers(text, symbol, all);
}

function printOthers(text: Text, symbol: string, all: readonly string[]): void {
  text.block(`void ${symbol}_mpi_device_close(void) {`, () => {
    for (const one of all) text.line(`${one}_device_close();`);
  });
  text.line();
  text.block(`const char *${symbol}_mpi_device_problem(void) {`, () => {
    for (const one of all.slice(0, -1))
      text.line(`if (*${one}_device_problem() != '\\0') return ${one}_device_problem();`);
    text.line(`return ${symbol}_device_problem();`);
  });
  text.line();
}
