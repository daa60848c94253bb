/** A pipeline over ranks: the loops of each round, and the arguments that all of them take. */
import { type EmitOptions, emit, type Manifest, type Pipeline, type SourceFile } from "@groupwise/core";
import { commentText, marked, unmarked } from "@groupwise/core/kernel";
import { type Round, type RoundValue, refuseParts, roundsOf } from "@groupwise/core/state";
import { type Argument, entryArguments, lengthOf, sidesOf } from "../../print/arguments.ts";
import { hostType } from "../../print/spelling/types.ts";
import { c } from "../../print/target.ts";
import type { CarriedC } from "./carried.ts";
import { type ChunkChoice, type ChunkFiles, chunkFiles } from "./files.ts";
import { extra } from "./header.ts";

/** A round before the last one. */
export interface EarlierC {
  /** From 1. */
  readonly number: number;
  readonly loops: CarriedC;
  /** Its results, which are arguments of later rounds. */
  readonly gives: readonly Argument[];
}

/** The arguments of the printers of a pipeline over ranks. */
export interface RanksC {
  /** The loops of the last round. */
  readonly given: CarriedC;
  readonly earlier: readonly EarlierC[];
  /** The arguments of the pipeline itself, and the manifest that describes them. */
  readonly own: readonly Argument[];
  readonly manifest: Manifest;
  /** The argument of rounds for the number of items of all ranks. */
  readonly items: Argument | undefined;
  /** Whether a range without items is an error. */
  readonly needsItems: boolean;
  /** Whether scans begin at the last item. */
  readonly isTurned: boolean;
  /** Parameters that divide the number of items of all ranks: rounds do not know it, so their manifests do not say. */
  readonly divisors: readonly string[];
}

/** The round's results, and the number of items: arguments that no caller passes. */
export const resultsOf = ({ earlier, items }: RanksC): readonly Argument[] => [
  ...(items ? [items] : []),
  ...earlier.flatMap(({ gives }) => gives),
];

/** Whether the last round reads the items once, because other items change its results only through those of earlier rounds. */
export const isMap = (ranks: RanksC): boolean =>
  ranks.given.values.length === 0 && resultsOf(ranks).length > 0;

/**
 * The loops of each round, and their files.
 * @throws GroupwiseError `not-carried` if a part of the pipeline needs items of other ranks; as `emit`
 */
export function ranksOf(
  pipeline: Pipeline,
  options: EmitOptions,
  device: ChunkChoice["device"],
): { readonly ranks: RanksC; readonly files: readonly SourceFile[] } {
  const { list, order, items } = roundsOf(pipeline, { knowsCount: true });
  const isTurned = order === "backwards";
  for (const round of list) refuseParts(round.pipeline);
  const whole = emit(pipeline, c, options).manifest;
  const command = options.command ?? whole.command;
  const made = list.map((round): ChunkFiles & { readonly round: Round } => {
    const isLast = round.number === list.length;
    const name = isLast ? pipeline.name : `${pipeline.name}-round${round.number}`;
    const choice = { device, isTurned };
    return { round, ...chunkFiles({ ...round.pipeline, name }, { ...options, command }, choice) };
  });
  for (const { given } of made) refuseParts(given.carried.pipeline);
  const { given } = made.at(-1) as ChunkFiles;
  const earlier = made.slice(0, -1).map((one): EarlierC => {
    const { number, gives } = one.round;
    return { number, loops: one.given, gives: gives.map((value) => resultIn(one.given, value)) };
  });
  const isAlone = earlier.length === 0 && !items;
  const ranks: RanksC = {
    given,
    earlier,
    own: isAlone ? given.own : ownOf(whole, given),
    manifest: isAlone ? given.artifact.manifest : whole,
    items: items && extra(marked(items.name), hostType(items.type), "the number of items of all ranks"),
    needsItems: whole.bindings.some(({ needsItems }) => needsItems),
    isTurned,
    divisors: whole.params.filter(({ divides }) => divides).map(({ name }) => name),
  };
  return { ranks, files: made.flatMap((one) => one.files) };
}

/** A result of a round, as its loops return it. */
function resultIn({ own }: CarriedC, { name, about }: RoundValue): Argument {
  const { type } = own.find((one) => one.name === marked(name)) as Argument;
  return { name: marked(name), type, isPointer: true, about: commentText(`${about} of all items`) };
}

/** The arguments of the whole pipeline in its order, those of outputs whose elements items append after the others. */
function ownOf(manifest: Manifest, { appended }: CarriedC): readonly Argument[] {
  const hidden = new Set([
    ...sidesOf(manifest),
    ...manifest.bindings.filter((one) => one.hidden).map(({ name }) => name),
    ...appended.map(({ name }) => name),
  ]);
  return [
    ...entryArguments(manifest).filter(({ name }) => !hidden.has(unmarked(name))),
    ...appended.flatMap(({ array, room, length }) => [array, room, length]),
  ];
}

/** The text for an argument of a round's function where the arguments of the whole pipeline are declared. */
export function textIn({ manifest }: RanksC, { artifact }: CarriedC, { name }: Argument): string {
  const table = manifest.bindings.find(
    (one) => one.role === "table" && lengthOf(artifact.manifest, one.name) === unmarked(name),
  );
  return table ? marked(lengthOf(manifest, table.name)) : name;
}

/** The number of items of a rank, beside the arguments of the whole pipeline. */
export const countIn = ({ manifest }: RanksC): Argument =>
  extra(marked(sidesOf(manifest)[0] as string), "uint64_t", "number of items of this rank, any, also 0");

/** The arguments of the whole pipeline that no round uses, about which compilers warn. */
export function unusedIn(ranks: RanksC): readonly string[] {
  const rounds = [...ranks.earlier.map(({ loops }) => loops), ranks.given];
  const used = new Set(rounds.flatMap((loops) => loops.own.map((one) => textIn(ranks, loops, one))));
  return ranks.own.map(({ name }) => name).filter((name) => !used.has(name));
}

/** What begins the names of the functions for the devices of all rounds, besides that which opens them. */
export const deviceOf = ({ given: { symbol }, earlier }: RanksC): string =>
  `${symbol}_${earlier.length > 0 ? "mpi_device" : "device"}`;
