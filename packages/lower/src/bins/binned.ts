/** Scatters whose values combine in work-group memory before they reach their outputs. */
import type { ScatterNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { capacityOf } from "../parts/capacity.ts";
import { type Schedule, waits } from "../parts/stages.ts";

/** Words of bins in a pass: with 8 KiB, as many work-groups fit on a multiprocessor as without bins. */
const MOST_WORDS = 2048;
const WORD_BYTES = 4;

/** A scatter with few slots; a work-group has a bin for each. */
export interface Binned {
  readonly sink: ScatterNode & Required<Pick<ScatterNode, "combine">>;
  readonly slots: number;
}

/** Maximum size of the bins of a pass, in words: at most half of the memory, because several work-groups share it. */
export const binWords = ({ workGroupMemory }: Pick<Capabilities, "workGroupMemory">): number =>
  Math.min(MOST_WORDS, Math.floor(workGroupMemory / 2 / WORD_BYTES));

/** The schedule without the scatters that have bins, and those by stage. */
export function withoutBinned(
  plan: Schedule,
  capabilities: Capabilities,
): { readonly plan: Schedule; readonly binned: ReadonlyMap<number, readonly Binned[]> } {
  const binned = new Map<number, readonly Binned[]>();
  const sinks = new Map(plan.sinks);
  for (const [stage, all] of plan.sinks) {
    const found = binnedAt(plan, stage, binWords(capabilities));
    if (found.length === 0) continue;
    binned.set(stage, found);
    const taken = new Set(found.map(({ sink }) => sink.id));
    sinks.set(
      stage,
      all.filter(({ id }) => !taken.has(id)),
    );
  }
  return { plan: { ...plan, sinks }, binned };
}

/** Takes scatters in the order of the document while words are left. */
function binnedAt(plan: Schedule, stage: number, words: number): Binned[] {
  const found: Binned[] = [];
  let left = words;
  for (const sink of plan.sinks.get(stage) ?? []) {
    if (sink.kind !== "scatter" || sink.capacity === undefined || !combines(sink)) continue;
    const slots = capacityOf(plan.checked, sink.capacity);
    if (typeof slots !== "number" || slots === 0 || slots > left || waits(plan, stage, operandsOf(sink)))
      continue;
    left -= slots;
    found.push({ sink, slots });
  }
  return found;
}

const combines = (sink: ScatterNode): sink is Binned["sink"] => sink.combine !== undefined;
