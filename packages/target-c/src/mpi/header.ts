/** The header of the functions that all ranks of a communicator call together. */
import { Text } from "@groupwise/core/kernel";
import type { Argument } from "../print/arguments.ts";
import { declare, forBoth, guarded, printFirst } from "../print/header.ts";
import { fileOf } from "../print/names.ts";
import type { AppendedC } from "../state/appended.ts";
import type { CarriedC } from "../state/carried.ts";
import { countOf, extra, stateOf, totalsOf } from "../state/header.ts";

const COMM = extra("comm", "MPI_Comm", "the communicator; its ranks hold the range in their order");
const STATUS = extra("status", "int", "of this rank so far");

/** The arguments of the function that runs the whole pipeline. */
export const wholeArguments = (given: CarriedC): readonly Argument[] => [
  COMM,
  { ...countOf(given), about: "number of items of this rank, any, also 0" },
  ...given.own.flatMap((one) => {
    const found = given.appended.find(({ length }) => length === one);
    return found ? [one, placeOf(found)] : [one];
  }),
];

/** The argument for where the elements of a rank begin. */
export const placeOf = ({ name, length }: AppendedC): Argument => ({
  ...length,
  name: `elements_before_${name}`,
  about: `the number of elements of ${name} of earlier ranks, which is the position of its own first one`,
});

/** The arguments of the function that returns the state before a rank's items. */
export const beforeArguments = (given: CarriedC): readonly Argument[] => [
  COMM,
  STATUS,
  extra("*own", `const ${stateOf(given)}`, "the state of this rank's items alone"),
  extra("*before", stateOf(given), "the state of all items before them"),
];

/** The arguments of the function that shares results for all items. */
export const sharingArguments = (given: CarriedC): readonly Argument[] => [COMM, STATUS, ...totalsOf(given)];

/** The text of `gw_<name>_mpi.h`, with marked names. */
export function printMpiHeader(given: CarriedC): string {
  const { artifact, symbol } = given;
  const text = new Text();
  printFirst(text, artifact.manifest);
  guarded(text, `${symbol}_MPI_H`, () => {
    text.line(`#include "${fileOf(artifact.manifest.pipeline)}_state.h"`);
    if (given.device) text.line(`#include "${fileOf(artifact.manifest.pipeline)}_device.h"`);
    text.line("#include <mpi.h>");
    forBoth(text, () => {
      for (const line of ABOUT) text.line(line);
      text.line();
      text.line(
        "// Runs the pipeline over the items of all ranks. Each receives the outputs of its own items, and all receive the results of",
      );
      text.line(
        "// reduces. The bits are those of one run over the whole range, for any division among the ranks.",
      );
      for (const line of given.appended.slice(0, 1).flatMap(appendedText)) text.line(line);
      declare(text, `int ${symbol}_mpi`, wholeArguments(given));
      text.line();
      printDevice(text, given);
      text.line(
        "// The steps of that function, for hosts that hold fewer items in memory. First: the number of items of earlier ranks.",
      );
      declare(text, `int ${symbol}_mpi_first`, [
        COMM,
        countOf(given),
        extra("*from", "uint64_t", "the number of this rank's first item"),
      ]);
      text.line(
        `// Second: the state before a rank's items, from the merged states of its chunks (${symbol}_state_of).`,
      );
      declare(text, `int ${symbol}_mpi_before`, beforeArguments(given));
      text.line(
        `// Last, after the steps (${symbol}_step) of each rank: the results of reduces, from the last rank.`,
      );
      declare(text, `int ${symbol}_mpi_share`, sharingArguments(given));
    });
  });
  return text.toString();
}

const appendedText = ({ name, elements }: AppendedC): readonly string[] => [
  `// Each rank receives the elements of ${name} that its items append, and the position of the first one in the whole output. If any rank has`,
  "// too little room, all return GW_OUTSIDE; their lengths and positions are nevertheless those of all elements.",
  `// A host that calls the steps finds the position in ${elements} of the state before a rank's items.`,
];

/** The function that opens the device of each rank. */
function printDevice(text: Text, { symbol, device }: CarriedC): void {
  if (!device) return;
  text.line(`// Opens the device of each rank. ${symbol}_mpi calls it if no device is open.`);
  declare(text, `int ${symbol}_mpi_device`, [
    COMM,
    extra("device", "int", "its number on this machine; -1: chosen by the rank's number on this machine"),
  ]);
  text.line();
}

const ABOUT = [
  "// All ranks of the communicator call these functions together. All ranks return the same status, the largest of any. Unless it is",
  "// GW_OK, the contents of outputs are undefined. An error of MPI itself ends the job. States are sent as bytes: all ranks must run",
  "// on machines of the same architecture.",
];
