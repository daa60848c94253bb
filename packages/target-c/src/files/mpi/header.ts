/** The header of the functions that all ranks of a communicator call together. */
import { Text } from "@groupwise/core/kernel";
import type { Argument } from "../../print/arguments.ts";
import { DIVISOR, declare, forBoth, guarded, printFirst } from "../../print/header.ts";
import { fileOf } from "../../print/names.ts";
import type { AppendedC } from "../state/appended.ts";
import type { CarriedC } from "../state/carried.ts";
import { extra, stateOf, totalsOf, withoutItems } from "../state/header.ts";
import { countIn, type EarlierC, isMap, type RanksC, resultsOf } from "../state/ranks.ts";

const COMM = extra("comm", "MPI_Comm", "the communicator; its ranks hold the range in their order");
const STATUS = extra("status", "int", "of this rank so far");

/** The arguments of the function that runs the whole pipeline. */
export const wholeArguments = ({ given, ...ranks }: RanksC): readonly Argument[] => [
  COMM,
  countIn({ given, ...ranks }),
  ...ranks.own.flatMap((one) => {
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

/** The arguments of the function that returns the number of a rank's first item. */
export const firstArguments = (ranks: RanksC): readonly Argument[] => [
  COMM,
  { ...countIn(ranks), about: "number of items, any" },
  extra("*from", "uint64_t", FROM[ranks.isTurned ? "turned" : "usual"]),
  ...(ranks.items ? [{ ...ranks.items, isPointer: true }] : []),
];

const FROM = {
  usual: "the number of this rank's first item",
  turned: "the number of items of later ranks",
} as const;

/** The arguments of the function that returns the results of a round. */
export function roundArguments(ranks: RanksC, { loops }: EarlierC): readonly Argument[] {
  const results = new Map(resultsOf(ranks).map(({ name, about }) => [name, about]));
  return [
    COMM,
    STATUS,
    extra("*own", `const ${stateOf(loops)}`, "the state of this rank's items alone"),
    ...withoutItems(loops).map((one) => ({ ...one, about: results.get(one.name) ?? one.about })),
  ];
}

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
export function printMpiHeader(ranks: RanksC): string {
  const { given, earlier } = ranks;
  const { artifact, symbol } = given;
  const text = new Text();
  printFirst(text, artifact.manifest);
  guarded(text, `${symbol}_MPI_H`, () => {
    for (const loops of [...earlier.map((one) => one.loops), given]) {
      const file = fileOf(loops.artifact.manifest.pipeline);
      text.line(`#include "${file}_state.h"`);
      if (loops.device) text.line(`#include "${file}_device.h"`);
    }
    text.line("#include <mpi.h>");
    if (ranks.divisors.length > 0) for (const line of DIVISOR) text.line(line);
    forBoth(text, () => {
      for (const line of ABOUT) text.line(line);
      text.line();
      text.line(
        "// Runs the pipeline over the items of all ranks. Each receives the outputs of its own items, and all receive the results of",
      );
      text.line(
        "// reduces. The bits are those of one run over the whole range, for any division among the ranks.",
      );
      for (const line of roundsText(ranks)) text.line(line);
      for (const line of given.appended.slice(0, 1).flatMap(appendedText)) text.line(line);
      declare(text, `int ${symbol}_mpi`, wholeArguments(ranks));
      text.line();
      printDevice(text, ranks);
      printSteps(text, ranks);
    });
  });
  return text.toString();
}

const roundsText = ({ earlier, isTurned }: RanksC): readonly string[] => [
  ...(earlier.length > 0
    ? [
        `// Items need results of all items: they are read in ${earlier.length + 1} rounds, one after the other.`,
      ]
    : []),
  ...(isTurned
    ? [
        "// Scans begin at the last item of the last rank. Arrays hold the items of a rank in their usual order.",
      ]
    : []),
];

/** The functions that the whole one calls. */
function printSteps(text: Text, ranks: RanksC): void {
  const { given, earlier, isTurned } = ranks;
  const { symbol } = given;
  text.line(
    `// The steps of that function, for hosts that hold fewer items in memory. First: the number of items of ${isTurned ? "later" : "earlier"} ranks.`,
  );
  if (isTurned) {
    text.line(
      "// States count items from the end. The chunks of a rank follow one another from its last items to its",
    );
    text.line("// first ones, and arrays hold the items of a chunk in their usual order.");
  }
  declare(text, `int ${symbol}_mpi_first`, firstArguments(ranks));
  for (const round of earlier) {
    const { symbol: loops } = round.loops;
    text.line(
      `// Round ${round.number}: its results, from the merged states of a rank's chunks (${loops}_state_of).`,
    );
    declare(text, `int ${symbol}_mpi_round${round.number}`, roundArguments(ranks, round));
  }
  if (isMap(ranks)) {
    text.line(
      `// The last round: the chunks of each rank (${symbol}_step), from a state of all items before them:`,
    );
    text.line(`// ${symbol}_start(&before, 0), and then before.to = from.`);
  } else {
    text.line(
      `// ${earlier.length > 0 ? "The last round" : "Second"}: the state before a rank's items, from the merged states of its chunks (${symbol}_state_of).`,
    );
    declare(text, `int ${symbol}_mpi_before`, beforeArguments(given));
  }
  text.line(
    `// Last, after the steps (${symbol}_step) of each rank: the results of reduces, from the ${isTurned ? "first" : "last"} rank.`,
  );
  declare(text, `int ${symbol}_mpi_share`, sharingArguments(given));
}

const appendedText = ({ name, elements }: AppendedC): readonly string[] => [
  `// Each rank receives the elements of ${name} that its items append, and the position of the first one in the whole output. If any rank has`,
  "// too little room, all return GW_OUTSIDE; their lengths and positions are nevertheless those of all elements.",
  `// A host that calls the steps finds the position in ${elements} of the state before a rank's items.`,
];

/** The functions for the device of each rank. */
function printDevice(text: Text, { given: { symbol, device }, earlier }: RanksC): void {
  if (!device) return;
  text.line(`// Opens the device of each rank. ${symbol}_mpi calls it if no device is open.`);
  declare(text, `int ${symbol}_mpi_device`, [
    COMM,
    extra("device", "int", "its number on this machine; -1: chosen by the rank's number on this machine"),
  ]);
  if (earlier.length > 0) {
    text.line("// The kernels of each round are built for it. Closes it for all rounds.");
    text.line(`void ${symbol}_mpi_device_close(void);`);
    text.line(
      "// The message of the last call's problem in any round, valid until the next call; empty if there is none.",
    );
    text.line(`const char *${symbol}_mpi_device_problem(void);`);
  }
  text.line();
}

const ABOUT = [
  "// All ranks of the communicator call these functions together. All ranks return the same status, the largest of any. Unless it is",
  "// GW_OK, the contents of outputs are undefined. An error of MPI itself ends the job. States are sent as bytes: all ranks must run",
  "// on machines of the same architecture.",
];
