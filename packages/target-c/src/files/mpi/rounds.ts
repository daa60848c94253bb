/** Rounds before the last one: the states of all ranks, merged, and their results. */
import type { Text } from "@groupwise/core/kernel";
import { type Argument, printList } from "../../print/arguments.ts";
import { itemsOf, stateOf } from "../state/header.ts";
import { lines } from "../state/lines.ts";
import { countIn, type EarlierC, type RanksC, textIn } from "../state/ranks.ts";
import { roundArguments } from "./header.ts";
import { head, OPERATION, ordered, printOperation } from "./operation.ts";

/** The function that returns the results of a round, and its operation. */
export function printRound(text: Text, ranks: RanksC, round: EarlierC): void {
  const { given, isTurned } = ranks;
  const { loops, number } = round;
  const { symbol } = loops;
  printOperation(text, loops, `_round${number}`);
  text.line();
  head(text, `${given.symbol}_mpi_round${number}`, roundArguments(ranks, round));
  text.indent(() => {
    text.line("const MPI_Errhandler handler = end_on_errors(comm);");
    text.line("status = agreed(comm, status);");
    text.block("if (status == GW_OK) {", () => {
      lines(text, OPERATION(`merge_round${number}`));
      text.line(`${stateOf(loops)} all;`);
      ordered(text, isTurned, (comm) => {
        text.line(`MPI_Allreduce(own, &all, 1, type, operation, ${comm});`);
      });
      text.line("MPI_Op_free(&operation);");
      text.line("MPI_Type_free(&type);");
      text.line("// The results are those of a step without items from the state of all.");
      const args = loops.own.map((one) => noItemsIn(itemsOf(loops), one));
      printList(text, `status = ${symbol}_step`, ["&all", "0", ...args, "&all"], ";");
      text.line("status = agreed(comm, status);");
    });
    text.line("restore(comm, handler);");
    text.line("return status;");
  });
  text.line("}");
}

/** An array of no items where the argument is one of items. */
const noItemsIn = (items: ReadonlySet<string>, { name, type }: Argument): string =>
  items.has(name) ? `&(${type}){0}` : name;

/** Statements that compute the results of a round from the arrays of a rank. */
export function printRoundCall(text: Text, ranks: RanksC, { loops, number, gives }: EarlierC): void {
  const results = new Set(gives.map(({ name }) => name));
  const args = loops.own.map((one) => (results.has(one.name) ? `&${one.name}` : textIn(ranks, loops, one)));
  const items = itemsOf(loops);
  const passed = args.filter((_, i) => !items.has((loops.own[i] as Argument).name));
  const state = `round${number}`;
  text.line(`// Round ${number}: results of all items.`);
  for (const { name, type } of gives) text.line(`${type} ${name};`);
  text.line(`${stateOf(loops)} ${state};`);
  const { symbol } = ranks.given;
  printList(
    text,
    `status = ${loops.symbol}_state_of`,
    ["from", countIn(ranks).name, ...args, `&${state}`],
    ";",
  );
  printList(text, `status = ${symbol}_mpi_round${number}`, ["comm", "status", `&${state}`, ...passed], ";");
  text.line("if (status != GW_OK) return status;");
}
