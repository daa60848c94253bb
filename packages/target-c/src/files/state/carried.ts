/** A pipeline over chunks in C: its loops, the functions that combine totals, and the member of each value of a state. */
import { type Artifact, type Binding, check, type EmitOptions, emit, type Pipeline } from "@groupwise/core";
import { commentText, memoryOf, unmarked } from "@groupwise/core/kernel";
import {
  type Carried,
  type CombiningValue,
  carriedOf,
  combiningOf,
  emitCarried,
  identityOfState,
  kindOfState,
  type StateOperator,
  typesOfState,
} from "@groupwise/core/state";
import { encodeLiteral } from "@groupwise/core/target";
import { type Argument, entryArguments, lengthOf } from "../../print/arguments.ts";
import { symbolOf } from "../../print/names.ts";
import { elementType, storedLiteral } from "../../print/spelling/types.ts";
import { c } from "../../print/target.ts";
import { type AppendedC, appendedIn, withRooms } from "./appended.ts";
import type { DeviceParts } from "./device.ts";

/** One value of the total of a scan. */
export interface StateValue {
  /** Its member in structs, `v0`. */
  readonly member: string;
  /** Of an element in memory. */
  readonly type: string;
  /** The same as text: `add, f32`. */
  readonly about: string;
  readonly kind: "cover" | "total";
  /** The number of its scan. */
  readonly scan: number;
  readonly identity: string;
  /** The table and the output of the chunk's function. */
  readonly before: string;
  readonly after: string;
  /** The arguments of the function that combines. */
  readonly combining: CombiningValue;
}

/** Totals that are combined together. */
export interface Combined {
  readonly artifact: Artifact;
  readonly symbol: string;
  readonly values: readonly StateValue[];
}

/** The arguments of the printers of a carried pipeline. */
export interface CarriedC {
  readonly artifact: Artifact;
  /** The function over a chunk. */
  readonly symbol: string;
  readonly carried: Carried;
  readonly values: readonly StateValue[];
  /** The functions on totals of blocks, and of ranges; undefined if no scan has such totals. */
  readonly blocks: Combined | undefined;
  readonly totals: Combined | undefined;
  /** The arguments of the pipeline itself, without its range and its state. */
  readonly own: readonly Argument[];
  readonly appended: readonly AppendedC[];
  /** The device that runs long pieces; undefined if the loops run all. */
  readonly device?: DeviceParts;
  /** The loops for the state of a part alone, which write no items; undefined if those of a chunk compute it. */
  readonly totalsOnly?: CarriedC;
}

/** @param isTurned whether the first item is the last element of arrays @throws GroupwiseError `not-carried`; as `emit` */
export function carriedInC(pipeline: Pipeline, options: EmitOptions, isTurned: boolean = false): CarriedC {
  const carried = carriedOf(check(pipeline), { rooms: true, isTurned });
  const artifact = emitCarried(carried, c, options);
  const { manifest } = artifact;
  const blocks = combined("cover", carried, options);
  const totals = combined("total", carried, options);
  const values = [...(blocks?.values ?? []), ...(totals?.values ?? [])];
  const hidden = new Set([
    ...[manifest.params.find(({ role }) => role === "length")?.name, carried.place, carried.first],
    ...values.flatMap(({ before, after }) => [before, lengthOf(manifest, before), after]),
  ]);
  for (const { name, hidden: isHidden } of manifest.bindings) if (isHidden) hidden.add(name);
  for (const room of carried.rooms.values()) hidden.add(room);
  const given = entryArguments(manifest).filter(({ name }) => !hidden.has(unmarked(name)));
  const appended = appendedIn(carried, manifest, values, given);
  const own = withRooms(given, appended);
  return { artifact, symbol: symbolOf(manifest), carried, values, blocks, totals, own, appended };
}

/** The values of all scans of a kind, and the function that combines them. */
function combined(kind: StateValue["kind"], carried: Carried, options: EmitOptions): Combined | undefined {
  const all = carried.scans.map((scan, at) => ({ ...scan, at }));
  const scans = all.filter(({ operator }) => kindOfState(operator) === kind);
  if (scans.length === 0) return undefined;
  const name = `${carried.pipeline.name}-${kind === "cover" ? "blocks" : "totals"}`;
  const { pipeline, values } = combiningOf(
    name,
    scans.map(({ operator }) => operator),
  );
  const artifact = emit(pipeline, c, options);
  const first = kind === "cover" ? 0 : countOf(all, "cover");
  const made = scans.flatMap(({ operator, from, to, at }, i) =>
    typesOfState(operator).map((type, field) => ({
      type: elementTypeOf(artifact, values[i]?.[field] as CombiningValue),
      about: commentText(`${describe(operator, field)}, ${type}`),
      kind,
      scan: at,
      identity: storedLiteral({
        type,
        value: encodeLiteral(type, identityOfState(operator)[field] as never),
      }),
      before: from[field] as string,
      after: to[field] as string,
      combining: values[i]?.[field] as CombiningValue,
    })),
  );
  const numbered = made.map((value, i) => ({ ...value, member: `v${first + i}` }));
  return { artifact, symbol: symbolOf(artifact.manifest), values: numbered };
}

const countOf = (scans: Carried["scans"], kind: StateValue["kind"]): number =>
  scans
    .filter(({ operator }) => kindOfState(operator) === kind)
    .reduce((sum, { operator }) => sum + typesOfState(operator).length, 0);

const describe = (operator: StateOperator, field: number): string =>
  "op" in operator ? operator.op : `${operator.name}.${operator.fields[field]?.name}`;

const elementTypeOf = ({ manifest }: Artifact, { both }: CombiningValue): string =>
  elementType(memoryOf(manifest.bindings.find(({ name }) => name === both) as Binding));
