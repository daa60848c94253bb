/** A program that runs a pipeline over files on all ranks of MPI. */
import { Text } from "@groupwise/core/kernel";
import { printFirst } from "../../../print/header.ts";
import { DEVICE_STATUSES, fileOf, STATUSES } from "../../../print/names.ts";
import { lines } from "../../state/lines.ts";
import { deviceOf, type RanksC, resultsOf } from "../../state/ranks.ts";
import { AGREEMENT } from "./agreement.ts";
import { printArguments, printValues, usersOf } from "./arguments.ts";
import { arraysOf, printArrays } from "./arrays.ts";
import { FILES } from "./file.ts";
import { printRun } from "./run.ts";
import { TYPES, VALUES } from "./values.ts";

/** The text of `gw_<name>_mpi_main.c`, with marked names. */
export function printProgram(ranks: RanksC): string {
  const { manifest } = ranks.given.artifact;
  const arrays = arraysOf(ranks);
  const users = usersOf(ranks);
  const text = new Text();
  printFirst(text, manifest);
  text.line(
    "// Runs the pipeline over files on all ranks of MPI_COMM_WORLD. Prints its usage if arguments are missing.",
  );
  text.line(`#include "${fileOf(manifest.pipeline)}_mpi.h"`);
  text.line();
  for (const name of ["errno", "inttypes", "math", "stdarg", "stdio", "stdlib", "string"])
    text.line(`#include <${name}.h>`);
  text.line();
  text.line(`#define PROGRAM "${fileOf(manifest.pipeline)}_mpi"`);
  text.line('#define MAGIC "\\x93NUMPY"');
  text.line("enum { HEAD = 4096, NPY_BYTES = 128, PATH_SIZE = 4096 };");
  text.line();
  lines(text, AGREEMENT);
  for (const reader of new Set(["read_unsigned", ...users.map(({ type }) => TYPES[type].reader)])) {
    text.line();
    lines(text, VALUES[reader] as string);
  }
  text.line();
  lines(text, FILES);
  text.line();
  printArrays(text, arrays);
  printValues(text, users, resultsOf(ranks));
  text.line();
  printArguments(text, ranks, arrays, users);
  text.line();
  printMessages(text, ranks);
  text.line();
  printRun(text, ranks, arrays);
  return text.toString();
}

function printMessages(text: Text, ranks: RanksC): void {
  const { device } = ranks.given;
  text.line("// Messages of the statuses.");
  text.line("static const char *const MESSAGES[] = {");
  for (const [name, about] of [...STATUSES, ...(device ? DEVICE_STATUSES : [])])
    text.line(`  [${name}] = "${about}",`);
  text.line("};");
  text.line();
  lines(text, device ? problemOf(deviceOf(ranks)) : PROBLEM);
}

const PROBLEM = `
static void fail_by(int status) {
  if (status != GW_OK) fail("%s", MESSAGES[status]);
}
`;

/** The device's message, which has more information than a status. */
const problemOf = (device: string): string => `
static void fail_by(int status) {
  const char *const about = ${device}_problem();
  if (status != GW_OK) fail("%s", *about != '\\0' ? about : MESSAGES[status]);
}

// Reports the status of a call that all ranks make. Ranks without a problem leave the message to the others.
static bool fine_after(int status) {
  if (status != GW_OK && *${device}_problem() != '\\0') fail_by(status);
  if (!fine()) return false;
  fail_by(status);
  return fine();
}
`;
