/** The reference of a pipeline over a chunk: the outputs of the whole range for these items, from the state of the items before them. */

import { requireArguments } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import { type Checked, check } from "@groupwise/ir/document/check.js";
import type {
  NodeId,
  ReduceNode,
  ScanNode,
  UserCollectiveNode,
  VoteNode,
} from "@groupwise/ir/document/node.js";
import { STATE } from "@groupwise/ir/document/shapes.js";
import {
  Reference,
  type ReferenceOutputs,
  type ReferenceRun,
  RUN,
} from "@groupwise/ir/reference/reference.js";
import { normalisedValue } from "@groupwise/ir/tables/op.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { CARRIED, type Carried } from "./carry.ts";
import { append, type Combine, type Total } from "./cover.ts";
import { combineOf, identityOfState, LAST_ITEM, prefixOf, type ScanState, type State } from "./state.ts";

/** The result of the reference for a chunk. */
export interface ReferenceStep {
  readonly outputs: ReferenceOutputs;
  /** The state up to the end of the chunk. */
  readonly state: State;
}

/** The state of a scan, and the prefix that ends there. */
interface Reached {
  readonly scan: ScanState;
  readonly prefix: Total | undefined;
}

/**
 * Runs a carried pipeline over a chunk.
 * @param run the values of the chunk alone
 * @param state of all items before it
 * @throws GroupwiseError `bad-state`; as `reference`
 * @category Authors
 */
export function referenceStep(carried: Carried, run: ReferenceRun, state: State): ReferenceStep {
  requireArguments(arguments, "referenceStep", { carried: CARRIED, run: RUN, state: STATE });
  return stepOfChecked(check(carried.pipeline), carried, run, state);
}

/** As `referenceStep`. @param checked the carried pipeline */
export function stepOfChecked(
  checked: Checked,
  carried: Carried,
  run: ReferenceRun,
  state: State,
): ReferenceStep {
  const { first, place } = carried;
  const at = Number(carried.edges ? (state.to === 0n ? 0n : 1n) : state.to % 2n ** 32n);
  const params = { ...run.params, [place]: 0, ...(first !== undefined && { [first]: at }) };
  const tables = { ...run.tables, ...totalsBefore(carried, state) };
  const chunk = new Chunk(checked, { ...run, params, tables }, carried, state);
  const outputs = chunk.outputs();
  return { outputs, state: chunk.after() };
}

/** The tables that items read: totals of exactly associative operators. */
function totalsBefore({ scans }: Carried, { scans: states }: State): Record<string, readonly ScalarValue[]> {
  const tables = scans.flatMap(({ from }, i) => {
    const state = states[i];
    return state?.kind === "total" ? from.map((name, field) => [name, [state.total[field]]]) : [];
  });
  return Object.fromEntries(tables);
}

class Chunk extends Reference {
  private readonly before: State;
  private readonly scans: ReadonlyMap<NodeId, number>;
  /** By scan: the state before each item and after the last. */
  private readonly reached = new Map<number, Reached[]>();

  constructor(checked: Checked, run: ReferenceRun, { scans }: Carried, before: State) {
    super(checked, run);
    if (before.from !== 0n)
      throw errorOf("bad-state", { reason: `it begins at item ${before.from}, not at 0` });
    this.before = before;
    this.scans = new Map(scans.flatMap(({ nodes }, i) => nodes.map((id) => [id, i] as const)));
  }

  after(): State {
    const to = this.before.to + BigInt(this.n);
    if (to > LAST_ITEM) throw errorOf("bad-state", { reason: `item ${to} is past 2^64` });
    return {
      ...this.before,
      to,
      scans: this.before.scans.map((scan, i) => this.reached.get(i)?.at(-1)?.scan ?? scan),
    };
  }

  private reach(id: NodeId, values: () => readonly Total[]): readonly Reached[] {
    const number = this.scans.get(id) as number;
    const known = this.reached.get(number);
    if (known) return known;
    const scan = this.before.scans[number] as ScanState;
    const reached: Reached[] = [{ scan, prefix: this.before.to === 0n ? undefined : prefixOf(scan) }];
    const combine = combineOf(scan.operator);
    for (const [i, value] of values().entries()) {
      const next = extended((reached[i] as Reached).scan, this.before.to + BigInt(i), value, combine);
      reached.push({ scan: next, prefix: prefixOf(next) });
    }
    this.reached.set(number, reached);
    return reached;
  }

  private prefixesAt(id: NodeId, field: number, values: () => readonly Total[]): ScalarValue[] {
    return this.reach(id, values).map(
      ({ scan, prefix }) => (prefix ?? identityOfState(scan.operator))[field] as ScalarValue,
    );
  }

  override prefixes(node: ReduceNode | ScanNode, group: readonly number[]): ScalarValue[] {
    const { id, op, of } = node;
    return this.prefixesAt(id, 0, () =>
      group.map((i) => [normalisedValue(op, this.typeOf(of), this.at(of, i))]),
    );
  }

  override prefixesOfField(node: UserCollectiveNode, group: readonly number[]): ScalarValue[] {
    const { id, of, field } = node;
    return this.prefixesAt(id, field, () => group.map((i) => of.map((used) => this.at(used, i))));
  }

  override vote(node: VoteNode): void {
    const values = (): Total[] => this.items.map((i) => [Boolean(this.at(node.of, i))]);
    const last = this.prefixesAt(node.id, 0, values).at(-1) as ScalarValue;
    this.values[node.id] = this.items.map(() => last);
    this.alone[node.id] = last;
  }
}

function extended(scan: ScanState, start: bigint, value: Total, combine: Combine): ScanState {
  if (scan.kind === "total") return { ...scan, total: combine(scan.total, value) };
  return { ...scan, blocks: append(scan.blocks, { start, level: 0, total: value }, combine) };
}
