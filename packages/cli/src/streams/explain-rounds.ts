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
}

/**
 * The plans of the chunks of each round, for files, whose number of items is known.
 * @returns one round from the first item as the plan of a chunk
 * @throws GroupwiseError `not-carried`; as `planChunks`
 */
export function explainRounds(
  pipeline: Pipeline,
  target: Target,
  device: EmitOptions,
  options: ExplainOptions,
): { readonly plan: Explanation; readonly rounds?: readonly ExplainedRound[] } {
  const { list, order } = roundsOf(pipeline, { knowsCount: true });
  const explained = list.map(({ number, takes, gives, ...round }) => ({
    number,
    reads: readsOf(pipeline, round),
    order,
    takes,
    gives,
    plan: explain(planChunks(round.pipeline, target, device), options),
  }));
  const last = explained.at(-1) as ExplainedRound;
  const isPlain = explained.length === 1 && order === "forwards";
  return isPlain ? { plan: last.plan } : { plan: last.plan, rounds: explained };
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
  const texts = rounds.map(({ number, reads, order, takes, gives, plan }) => {
    const bytes = reads.reduce((sum, one) => sum + one.bytes, 0);
    const lines = [
      `round ${number} of ${rounds.length}`,
      `reads: ${reads.map(({ name }) => name).join(", ")}: ${bytes} bytes an item${order === "backwards" ? ", from the last chunk to the first" : ""}`,
      ...(takes.length > 0 ? [`takes: ${values(takes)}`] : []),
      gives.length > 0 ? `computes: ${values(gives)}` : "computes: the outputs",
    ];
    return `${lines.join("\n")}\n${printExplanation(plan)}`;
  });
  const needed = "; items need results of the whole range, so the files are read once for each round";
  return [`rounds: ${rounds.length}${rounds.length > 1 ? needed : ""}`, ...texts].join("\n");
}
