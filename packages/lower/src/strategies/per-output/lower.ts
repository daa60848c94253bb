/**
 * Chains of passes: every pass computes each element of one array on its own, from complete arrays. Scans
 * compute aggregates of blocks of eight upwards, then prefixes downwards.
 */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { formOf, isCollective, isMonoid, isPick } from "@groupwise/ir/document/collectives.js";
import type { BroadcastNode, MonoidCollective, NodeId, Scope } from "@groupwise/ir/document/node.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, mul, ne, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { type Component, componentsOf, fieldOf, operandsAt } from "../../parts/components.ts";
import { join, type Monoid, named, namedResults, variables } from "../../parts/monoid.ts";
import { pickedFrom, siteAt, siteOf } from "../../parts/site.ts";
import { type Latency, materializedValues, type Schedule, Stages } from "../../parts/stages.ts";
import { Storage, sinkRef } from "../../parts/storage.ts";
import type { Lowered, Lowering } from "../../parts/strategy.ts";
import { SiteValues } from "../../parts/values.ts";
import { schedule } from "../../schedule/schedule.ts";
import { type PerOutput, pass } from "./context.ts";

// Aggregates of aligned blocks, eight to one, and prefixes in the Fenwick order from them. A segment is the
// whole range or one work-group; blocks are aligned to the segment's start.
const RADIX = 8;
const SHIFT = 3;

interface Ladder {
  readonly scope: Scope;
  /** The number of levels of aggregates above the items. */
  readonly levels: number;
  /** Blocks of a level in one segment. */
  count(level: number): { readonly formula: Formula; readonly expr: Expr };
  /** Number of segments. */
  readonly segments: Formula;
}

function ladderOf(lowering: PerOutput, scope: Scope, maxItems: number): Ladder {
  const { n, groupSize, groups } = lowering.geometry;
  const longest = scope === "device" ? maxItems : groupSize;
  let levels = 0;
  while (longest >= RADIX ** (levels + 1)) levels++;
  if (scope === "device") {
    const count = (level: number) => ({
      formula: formula("floor-div", "n", RADIX ** level),
      expr: binary("shr", n, SHIFT * level),
    });
    return { scope, levels, segments: 1, count };
  }
  const count = (level: number) => {
    const blocks = Math.floor(groupSize / RADIX ** level);
    return { formula: blocks, expr: u32(level === 0 ? groupSize : blocks) };
  };
  return { scope, levels, segments: groups, count };
}

/** An array for each value of a monoid. */
type Fields = readonly ArrayRef[];

/**
 * The arrays of a ladder, lowest level first: the items, then aggregates; and the prefixes above the items.
 */
interface Rungs {
  readonly ladder: Ladder;
  readonly totals: readonly Fields[];
  /** By level; none for level 0, whose prefixes are the result. */
  readonly prefixes: readonly (Fields | undefined)[];
  /** Undefined if no block of existing items reads past the end. */
  readonly lastItem: Expr | undefined;
}

function rungs(lowering: PerOutput, ladder: Ladder, monoid: Monoid, items: Fields): Rungs {
  const totals: Fields[] = [items];
  const { n, contiguous } = lowering.geometry;
  const lastItem = contiguous ? sub(n, 1) : undefined;
  // A pass fills one array: each field has its own pass, which recomputes what it needs of the others.
  const fill = (hint: string, doc: string, perSegment: Formula, value: Filler): Fields => {
    const cells = formula("mul", ladder.segments, perSegment);
    const arrays = monoid.types.map((type) => lowering.storage.scratch(hint, type, cells));
    arrays.forEach((array, field) => {
      pass(lowering, { hint, doc, array, cells }, (code, cell) => value(code, cell)[field] as Expr);
    });
    return arrays;
  };
  for (let level = 1; level <= ladder.levels; level++) {
    const below = { ladder, totals, prefixes: [], lastItem };
    const doc = `Aggregates of blocks of ${RADIX ** level} items.`;
    const made = fill(`totals_${level}`, doc, ladder.count(level).formula, (code, cell) => {
      const { segment, place } = split(code, ladder, level, 0, cell);
      const first = code.let("first", mul(place, RADIX));
      return total(code, { rungs: below, monoid, level: level - 1, segment, first, size: RADIX });
    });
    totals.push(made);
  }
  const prefixes: (Fields | undefined)[] = [];
  for (let level = ladder.levels; level >= 1; level--) {
    const above = { ladder, totals, prefixes: [...prefixes], lastItem };
    const doc = `Prefixes of the blocks of ${RADIX ** level} items.`;
    const cells = formula("add", ladder.count(level).formula, 1);
    prefixes[level] = fill(`prefixes_${level}`, doc, cells, (code, cell) => {
      const { segment, place } = split(code, ladder, level, 1, cell);
      return fold(code, { rungs: above, monoid, level, segment, place });
    });
  }
  return { ladder, totals, prefixes, lastItem };
}

/**
 * Whether reads are inside for a reason that kernels do not show: segments are work-groups of several dimensions, in which the place of an item, a sum of products of
 * its coordinates, is below the items of a work-group.
 */
const isInGrid = ({ ladder, lastItem }: Rungs): boolean =>
  ladder.scope === "work-group" && lastItem === undefined;

type Filler = (code: Code, cell: Expr) => readonly Expr[];

/** Segment and index of an element of an array with `count(level) + extra` elements per segment. */
function split(
  code: Code,
  ladder: Ladder,
  level: number,
  extra: number,
  cell: Expr,
): { segment: Expr; place: Expr } {
  if (ladder.scope === "device") return { segment: u32(0), place: cell };
  const width = add(ladder.count(level).expr, extra);
  const segment = code.let("segment", binary("div", cell, width));
  return { segment, place: code.let("place", sub(cell, mul(segment, width))) };
}

/** A block of a level of the ladder. */
interface BlockToTotal {
  readonly rungs: Rungs;
  readonly monoid: Monoid;
  readonly level: number;
  readonly segment: Expr;
  readonly first: Expr;
  readonly size: number;
}

/** The aggregate of `size` blocks of a level, from block `first` on, halves first. */
function total(code: Code, { rungs, monoid, level, segment, first, size }: BlockToTotal): readonly Expr[] {
  const { ladder, totals, lastItem } = rungs;
  const start = code.let("start", add(mul(segment, ladder.count(level).expr), first));
  const arrays = totals[level] as Fields;
  // The last work-group may end early; blocks past the end are never used.
  const end = level === 0 && ladder.scope === "work-group" ? lastItem : undefined;
  let blocks: (readonly Expr[])[] = Array.from({ length: size }, (_, i) => {
    const at = add(start, i);
    const near = end ? binary("min", at, end) : at;
    return named(
      code,
      monoid,
      "block",
      arrays.map((array) => code.load(array, near, isInGrid(rungs))),
    );
  });
  while (blocks.length > 1) {
    blocks = blocks.flatMap((left, i) =>
      i % 2 === 0
        ? [namedResults(code, monoid, monoid.combine(code, left, blocks[i + 1] as readonly Expr[]), "both")]
        : [],
    );
  }
  return blocks[0] as readonly Expr[];
}

/** The place up to which blocks are combined. */
interface PlaceToFold {
  readonly rungs: Rungs;
  readonly monoid: Monoid;
  readonly level: number;
  readonly segment: Expr;
  readonly place: Expr;
}

/** P(place) within a segment, in blocks of a level; the identity if nothing precedes. */
function fold(code: Code, { rungs, monoid, level, segment, place }: PlaceToFold): readonly Expr[] {
  const result = variables(code, monoid, "prefix", monoid.identity);
  // All of the values change at once.
  const replace = (inner: Code, next: readonly Expr[]): void =>
    inner.assignAll(result, namedResults(inner, monoid, next, "next"));
  const rest = code.let("rest", and(place, RADIX - 1));
  const above = rungs.prefixes[level + 1];
  const parent = code.let("parent", binary("shr", place, SHIFT));
  if (above) {
    const width = add(rungs.ladder.count(level + 1).expr, 1);
    code.if(ne(parent, 0), (then) => {
      const at = add(mul(segment, width), parent);
      replace(
        then,
        above.map((array) => then.load(array, at, isInGrid(rungs))),
      );
    });
  }
  const aligned = code.let("aligned", mul(parent, RADIX));
  for (let size = RADIX / 2; size >= 1; size /= 2) {
    code.if(ne(and(rest, size), 0), (then) => {
      // The larger blocks come first.
      const before = then.let("before", add(aligned, and(rest, RADIX - 2 * size)));
      const block = total(then, { rungs, monoid, level, segment, first: before, size });
      const isPresent = ne(before, 0);
      const present = monoid.reassociable ? undefined : isPresent;
      replace(then, join(then, monoid, { values: result, present }, block));
    });
  }
  return result;
}

/** The prefix before item `place` of a segment; the identity before the first. */
const prefixAt = (code: Code, levels: Rungs, monoid: Monoid, segment: Expr, place: Expr): readonly Expr[] =>
  fold(code, { rungs: levels, monoid, level: 0, segment, place });

const LATENCY: Latency = {
  stages: new Stages("items"),
  start: (_, ready) => Math.max(ready, 0),
  ready: (_, start) => start + 1,
  firstStage: 0,
  readsAgain: () => false,
  inPass: () => false,
};

export function lowerPerOutput({ checked, capabilities, names, geometry }: Lowering): Lowered {
  const plan = schedule(checked, LATENCY);
  // Uniform outputs come after the passes of their collectives, so they read from memory.
  const collectives = checked.pipeline.nodes.filter(isCollective);
  const kept = { collectives: new Set(collectives.map((node) => node.id)), values: materializedValues(plan) };
  const storage = new Storage(checked, names, geometry, kept);
  const kernels: Kernel[] = [];
  for (const { number: stage } of plan.stages) {
    const lowering: PerOutput = {
      checked,
      storage,
      names,
      geometry,
      kernels,
      written: materializedValues(plan, stage),
    };
    const mine = collectives.filter((node) => plan.start.get(node.id) === stage);
    for (const scope of ["work-group", "device"] as const) {
      const scoped = mine.filter(isMonoid).filter((node) => node.scope === scope);
      for (const component of componentsOf(scoped, checked.pipeline.operators)) {
        scanComponent(lowering, component, ladderOf(lowering, scope, capabilities.maxItems));
      }
    }
    for (const node of mine.filter(isPick)) broadcast(lowering, node);
    for (const id of plan.materialized.get(stage) ?? []) {
      pass(
        lowering,
        {
          hint: "keep",
          doc: "A value that later passes read.",
          array: storage.home(id) as ArrayRef,
          cells: "n",
        },
        (code, cell) => new SiteValues(siteAt(lowering, code.let("i", cell))).get(id, code),
      );
    }
    writeSinks(lowering, plan, stage);
  }
  return { buffers: storage.buffers, kernels };
}

function scanComponent(lowering: PerOutput, component: Component, ladder: Ladder): void {
  const { storage, geometry } = lowering;
  const { monoid } = component;
  const levels = rungs(lowering, ladder, monoid, operandOf(lowering, component, ladder));
  for (const node of component.nodes) {
    const home = storage.home(node.id) as ArrayRef;
    const form = formOf(node);
    const field = fieldOf(node);
    const doc = `${titleOf(node, component)}, ${ladder.scope} scope`;
    const hint = `${(node.kind === "user-collective" ? form : node.kind).replace("-", "_")}_${node.id}`;
    const prefix = (code: Code, segment: Expr, end: Expr): Expr =>
      prefixAt(code, levels, monoid, segment, end)[field] as Expr;
    const device = ladder.scope === "device";
    const place = (code: Code, cell: Expr): { group: Expr; place: Expr } => {
      if (device) return { group: u32(0), place: cell };
      const at = geometry.place(cell);
      return { group: code.let("group", at.group(code)), place: code.let("place", at.lane(code)) };
    };
    if (form === "scan-exclusive") {
      pass(lowering, { hint, doc, array: home, cells: "n" }, (code, cell) => {
        const at = place(code, cell);
        return prefix(code, at.group, at.place);
      });
    } else if (form === "scan-inclusive") {
      pass(lowering, { hint, doc, array: home, cells: "n" }, (code, cell) => {
        const at = place(code, cell);
        return prefix(code, at.group, code.let("end", add(at.place, 1)));
      });
    } else {
      pass(lowering, { hint, doc, array: home, cells: cellsOf(lowering, node.id) }, (code, cell) => {
        if (device) return prefix(code, u32(0), geometry.n);
        const { count } = geometry.group(code, cell);
        return prefix(code, code.let("group", cell), count);
      });
    }
  }
}

/**
 * The operand as an array: an input, or the result of a pass. If a work-group's items are not consecutive,
 * they are copied to consecutive elements, with the space of a full work-group for each.
 */
function operandOf(lowering: PerOutput, component: Component, { scope }: Ladder): Fields {
  const { geometry, storage, checked } = lowering;
  return component.monoid.types.map((type, field) => {
    const operand = (values: SiteValues, code: Code): Expr =>
      operandsAt(component, values, code)[field] as Expr;
    if (scope === "work-group" && !geometry.contiguous) {
      const size = geometry.groupSize;
      const cells = formula("mul", geometry.groups, size);
      const array = storage.scratch("operand", type, cells);
      pass(
        lowering,
        { hint: "map", doc: "The operand, ordered by work-group.", array, cells },
        (code, cell) => {
          const number = code.let("group", binary("div", cell, size));
          const group = geometry.group(code, number);
          const lane = binary("min", sub(cell, mul(number, size)), sub(group.count, 1));
          const place = group.place(code, code.let("place", lane));
          return operand(new SiteValues(siteOf(lowering, place)), code);
        },
      );
      return array;
    }
    const node = checked.pipeline.nodes[component.of[field] as NodeId];
    if (node?.kind === "input" && node.type === type) return { space: "storage", name: node.name, type };
    const array = storage.scratch("operand", type, "n");
    pass(
      lowering,
      { hint: "map", doc: "The operand of the following scans and reduces.", array, cells: "n" },
      (code, cell) => operand(new SiteValues(siteAt(lowering, code.let("i", cell))), code),
    );
    return array;
  });
}

function titleOf(node: MonoidCollective, { name, builtin, monoid }: Component): string {
  if (node.kind === "user-collective") return `field ${node.field} of ${node.form} ${name}`;
  return `${node.kind}${"op" in node ? ` ${builtin?.op}` : ""} of ${monoid.types[0]}`;
}

function broadcast(lowering: PerOutput, node: BroadcastNode): void {
  const { storage, geometry } = lowering;
  const doc = `broadcast, ${node.scope} scope; an index past the end means the last item`;
  pass(
    lowering,
    {
      hint: `broadcast_${node.id}`,
      doc,
      array: storage.home(node.id) as ArrayRef,
      cells: cellsOf(lowering, node.id),
    },
    (code, cell) => {
      const group = node.scope === "device" ? undefined : geometry.group(code, cell);
      const values = new SiteValues(siteOf(lowering, group?.first ?? geometry.place(u32(0))));
      const coordinates = node.index.map((id) => values.get(id, code));
      const elementAt = (inner: Code, at: Expr): Expr =>
        new SiteValues(siteAt(lowering, at)).get(node.of, inner);
      if (group) return elementAt(code, code.let("source", group.item(code, coordinates)));
      const type = lowering.checked.types[node.id] as Expr["type"];
      return pickedFrom(geometry, code, { type, coordinates }, elementAt);
    },
  );
}

function cellsOf(lowering: PerOutput, id: NodeId): Formula {
  return lowering.storage.elements(lowering.checked.uniformities[id] as never);
}

function writeSinks(lowering: PerOutput, plan: Schedule, stage: number): void {
  const { checked, storage, geometry } = lowering;
  for (const sink of plan.sinks.get(stage) ?? []) {
    if (sink.kind !== "output") continue;
    const home = storage.home(sink.of);
    if (home?.name === sink.name) continue;
    const array = sinkRef(checked, sink);
    const uniformity = checked.uniformities[sink.id];
    pass(
      lowering,
      { hint: "write", doc: `The output ${sink.name}.`, array, cells: cellsOf(lowering, sink.id) },
      (code, cell) => {
        const place =
          uniformity === "group" ? geometry.group(code, cell).first : geometry.place(code.let("i", cell));
        return new SiteValues(siteOf(lowering, place)).get(sink.of, code);
      },
    );
  }
}
