/** What a pass writes of four items whose prefixes it knows. */
import type { NodeId, SinkNode } from "../../../ir/document/node.ts";
import { operandsOf } from "../../../ir/document/operands.ts";
import type { Scalar } from "../../../ir/tables/scalar.ts";
import type { ArrayRef, Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { eq, select, u32 } from "../../kernel/make-expr.ts";
import type { Monoid } from "../../parts/monoid.ts";
import { sinksAt } from "../../parts/stages.ts";
import type { Values } from "../../parts/values.ts";
import type { Context } from "../../work-groups/context.ts";
import { inRows, rowOf } from "../../work-groups/row.ts";
import type { RowPrefixes } from "./tile.ts";

/** A scan of the pass, and which value of the monoid it gives. */
export interface Scan {
  readonly id: NodeId;
  readonly inclusive: boolean;
  readonly at: number;
}

export interface Sinks {
  readonly scans: readonly Scan[];
  /** Outputs of an item's value that go in rows. */
  readonly rows: readonly { readonly of: NodeId; readonly array: ArrayRef }[];
  /** Scans that later stages read, element by element. */
  readonly materialized: readonly NodeId[];
  readonly items: readonly SinkNode[];
  /** Outputs of a value per work-group of the pipeline's. */
  readonly groups: readonly SinkNode[];
}

/** What the pass of a stage writes. */
export function sinksOf(context: Context, stage: number, scans: readonly Scan[]): Sinks {
  const { checked, plan, storage, capabilities } = context;
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const isPerGroup = (sink: SinkNode): boolean =>
    sink.kind === "output" && checked.uniformities[sink.id] === "group";
  const groups = sinks.filter(isPerGroup);
  const found = new Set(scans.map(({ id }) => id));
  const rows: { of: NodeId; array: ArrayRef }[] = [];
  const items: SinkNode[] = [];
  for (const sink of sinks.filter((other) => !isPerGroup(other))) {
    const array: ArrayRef = { space: "storage", name: sink.name, type: checked.types[sink.id] as Scalar };
    const isHome = sink.kind === "output" && storage.home(sink.of)?.name === sink.name;
    const isElsewhere = isHome && !found.has(sink.of);
    if (sink.kind === "output" && inRows(capabilities, array) && !isElsewhere)
      rows.push({ of: sink.of, array });
    else items.push(sink);
  }
  const materialized: NodeId[] = [];
  const inRow = new Set(rows.map(({ array }) => array.name));
  const stored = scans.map(({ id }) => id).filter((id) => plan.stored.has(id));
  for (const id of [...stored, ...(plan.materialized.get(stage) ?? [])]) {
    const home = storage.home(id);
    if (!home || inRow.has(home.name)) continue;
    if (inRows(capabilities, home)) {
      rows.push({ of: id, array: home });
      inRow.add(home.name);
    } else materialized.push(id);
  }
  return { scans, rows, materialized, items, groups };
}

const rootsOf = ({ rows, materialized, items, groups }: Sinks): NodeId[] => [
  ...rows.map(({ of }) => of),
  ...materialized,
  ...[...items, ...groups].flatMap(operandsOf),
];

/** A row of a tile, and the outputs that it goes to. */
export interface RowToWrite {
  readonly base: Expr;
  readonly sinks: Sinks;
  readonly prefixes: RowPrefixes;
  readonly monoid: Monoid;
}

export function writeRow(context: Context, code: Code, { base, sinks, prefixes, monoid }: RowToWrite): void {
  const { scans } = sinks;
  const four = rowOf(context, code, base, rootsOf(sinks), new Set(scans.map(({ id }) => id)));
  four.forEach((values, j) => {
    for (const { id, inclusive, at } of scans) {
      const before = prefixes.before[j]?.[at] as Expr;
      const isFirst = eq(base, u32(0));
      const exclusive = (): Expr =>
        monoid.reassociable || j > 0
          ? before
          : code.let("exclusive", select(isFirst, monoid.identity[at] as Expr, before));
      values.set(id, inclusive ? (prefixes.after[j]?.[at] as Expr) : exclusive());
    }
  });
  for (const { of, array } of sinks.rows)
    code.storeRow(
      array,
      base,
      four.map((values) => values.get(of, code)),
    );
  for (const values of four) writeItem(context, code, values, sinks);
}

function writeItem(
  { storage }: Context,
  code: Code,
  values: Values,
  { materialized, items, groups }: Sinks,
): void {
  for (const id of materialized) storage.materialize(id, values, code);
  for (const sink of items) storage.write(sink, values, code);
  if (groups.length === 0) return;
  code.if(values.site.place.isFirst(code), (one) => {
    for (const sink of groups) storage.write(sink, values, one);
  });
}
