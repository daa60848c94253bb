/**
 * Chains of passes: every pass computes each element of one array on its own, from complete arrays. Scans
 * compute aggregates of blocks of eight upwards, then prefixes downwards.
 */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { formOf, isCollective, isMonoid, isPick } from "@groupwise/ir/document/collectives.js";
import type { BroadcastNode, MonoidCollective, NodeId } from "@groupwise/ir/document/node.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, mul, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { type Component, componentsOf, fieldOf, operandsAt } from "../../parts/components.ts";
import { siteAt, siteOf } from "../../parts/site.ts";
import { type Latency, materializedValues, type Schedule, Stages } from "../../parts/stages.ts";
import { Storage, sinkRef } from "../../parts/storage.ts";
import type { Lowered, Lowering } from "../../parts/strategy.ts";
import { SiteValues } from "../../parts/values.ts";
import { schedule } from "../../schedule/schedule.ts";
import { type PerOutput, pass } from "./context.ts";
import { type Fields, type Ladder, ladderOf, prefixAt, rungs } from "./ladder.ts";

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
      const at = code.let("source", group ? group.item(code, coordinates) : geometry.item(coordinates));
      return new SiteValues(siteAt(lowering, at)).get(node.of, code);
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
