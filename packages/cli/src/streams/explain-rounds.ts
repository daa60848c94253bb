/** The plans of the rounds of `run --stream`. */
import {
  type EmitOptions,
  type ExplainOptions,
  type Explanation,
  explain,
  type Pipeline,
  printExplanation,
  type Target,
} from "@groupwise/core";
import { planChunks, type Round, type RoundValue, roundsOf } from "@groupwise/core/state";
import { arraySpec } from "@groupwise/core/target";
import { threadsForChunks } from "./threads.ts";

/** One pass over all items. */
export interface ExplainedRound {
  /** From 1. */
  readonly number: number;
  /** The inputs that it reads, with the bytes of an item. */
  readonly reads: readonly { readonly name: string; readonly bytes: number }[];
  /** `backwards`: from the last chunk to the first. */
  readonly order: "forwards" | "backwards";
  /** The results of earlier rounds that it uses. */
  readonly takes: readonly RoundValue[];
  /** The results that it computes for later rounds; none in the last one, which computes the outputs. */
  readonly gives: readonly RoundValue[];
  readonly plan: Explanation;
  /** How many threads compute a chunk, if the target has threads. */
  readonly threads?: string;
}

/** A target, and whether several of its threads can compute a chunk. */
interface ExplainedTarget {
  readonly target: Target;
  readonly isThreaded: boolean;
}

/**
 * The plans of the chunks of each round, for files, whose number of items is known.
 * @returns one round from the first item as the plan of a chunk
 * @throws GroupwiseError `not-carried`; as `planChunks`
 */
export function explainRounds(
  pipeline: Pipeline,
  { target, isThreaded }: ExplainedTarget,
  device: EmitOptions,
  options: ExplainOptions,
): { readonly plan: Explanation; readonly threads?: string; readonly rounds?: readonly ExplainedRound[] } {
  const { list, order } = roundsOf(pipeline, { knowsCount: true });
  const explained = list.map(({ number, takes, gives, ...round }) => ({
    number,
    reads: readsOf(pipeline, round),
    order,
    takes,
    gives,
    plan: explain(planChunks(round.pipeline, target, device), options),
    ...(isThreaded && { threads: threadsForChunks(round.pipeline) }),
  }));
  const last = explained.at(-1) as ExplainedRound;
  const isPlain = explained.length === 1 && order === "forwards";
  if (!isPlain) return { plan: last.plan, rounds: explained };
  return { plan: last.plan, ...(last.threads !== undefined && { threads: last.threads }) };
}

const readsOf = ({ nodes }: Pipeline, { reads }: Pick<Round, "reads">): ExplainedRound["reads"] =>
  nodes.flatMap((node) =>
    node.kind === "input" && reads.includes(node.name)
      ? [{ name: node.name, bytes: arraySpec(node.type).hostBytes }]
      : [],
  );

/** The rounds as text. */
export function roundsText(rounds: readonly ExplainedRound[]): string {
  const values = (list: readonly RoundValue[]): string =>
    list.map(({ name, type, about, at }) => `${name} (${type}, ${about}${at ? `, ${at}` : ""})`).join(", ");
  const texts = rounds.map(({ number, reads, order, takes, gives, plan, threads }) => {
    const bytes = reads.reduce((sum, one) => sum + one.bytes, 0);
    const lines = [
      `round ${number} of ${rounds.length}`,
      `reads: ${reads.map(({ name }) => name).join(", ")}: ${bytes} bytes an item${order === "backwards" ? ", from the last chunk to the first" : ""}`,
      ...(takes.length > 0 ? [`takes: ${values(takes)}`] : []),
      gives.length > 0 ? `computes: ${values(gives)}` : "computes: the outputs",
    ];
    const end = threads === undefined ? "" : `threads: ${threads}\n`;
    return `${lines.join("\n")}\n${printExplanation(plan)}${end}`;
  });
  const needed = "; items need results of the whole range, so the files are read once for each round";
  return [`rounds: ${rounds.length}${rounds.length > 1 ? needed : ""}`, ...texts].join("\n");
}
