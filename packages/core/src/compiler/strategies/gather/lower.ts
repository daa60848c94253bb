/**
 * Chains of passes: every pass computes each element of one array on its own, from complete arrays. Scans
 * compute aggregates of blocks of eight upwards, then prefixes downwards.
 */
import { type Formula, formula } from "../../../ir/base/formula.ts";
import { formOf, isCollective, isMonoid, isPick } from "../../../ir/document/collectives.ts";
import type { BroadcastNode, MonoidCollective, NodeId } from "../../../ir/document/node.ts";
import type { Scalar } from "../../../ir/tables/scalar.ts";
import type { ArrayRef, Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, binary, mul, sub, u32 } from "../../kernel/make-expr.ts";
import type { Kernel } from "../../kernel/module.ts";
import { type Component, componentsOf, fieldOf, operandsAt } from "../../parts/components.ts";
import { schedule } from "../../parts/schedule.ts";
import { siteAt, siteOf } from "../../parts/site.ts";
import { keptValues, type Latency, type Schedule } from "../../parts/stages.ts";
import { Storage } from "../../parts/storage.ts";
import type { Lowered, Lowering } from "../../parts/strategy.ts";
import { Values } from "../../parts/values.ts";
import { type Gather, pass } from "./context.ts";
import { type Fields, type Ladder, ladderOf, prefixAt, rungs } from "./ladder.ts";

const LATENCY: Latency = {
  kinds: ["items"],
  start: (_, ready) => Math.max(ready, 0),
  ready: (_, start) => start + 1,
  firstStage: 0,
  rewalks: false,
  inWalk: () => false,
};

export function lowerGather({ checked, capabilities, names, geometry }: Lowering): Lowered {
  const plan = schedule(checked, LATENCY);
  // Uniform outputs come after the passes of their collectives, so they read from memory.
  const collectives = checked.pipeline.nodes.filter(isCollective);
  const storage = new Storage(
    checked,
    names,
    geometry,
    new Set(collectives.map((node) => node.id)),
    keptValues(plan),
  );
  const kernels: Kernel[] = [];
  for (const { number: stage } of plan.stages) {
    const gather: Gather = { checked, storage, names, geometry, kernels, written: keptValues(plan, stage) };
    const mine = collectives.filter((node) => plan.start.get(node.id) === stage);
    for (const scope of ["work-group", "device"] as const) {
      const scoped = mine.filter(isMonoid).filter((node) => node.scope === scope);
      for (const component of componentsOf(scoped, checked.pipeline.operators)) {
        scanComponent(gather, component, ladderOf(gather, scope, capabilities.maxItems));
      }
    }
    for (const node of mine.filter(isPick)) broadcast(gather, node);
    for (const id of plan.kept.get(stage) ?? []) {
      pass(
        gather,
        "keep",
        "A value that later passes read.",
        storage.home(id) as ArrayRef,
        "n",
        (code, cell) => new Values(siteAt(gather, code.let("i", cell))).get(id, code),
      );
    }
    writeSinks(gather, plan, stage);
  }
  return { buffers: storage.buffers, kernels };
}

function scanComponent(gather: Gather, component: Component, ladder: Ladder): void {
  const { storage, geometry } = gather;
  const { monoid } = component;
  const levels = rungs(gather, ladder, monoid, operandOf(gather, component, ladder));
  for (const node of component.nodes) {
    const home = storage.home(node.id) as ArrayRef;
    const form = formOf(node);
    const field = fieldOf(node);
    const doc = `${titleOf(node, component)}, ${ladder.scope} scope`;
    const hint = `${(node.kind === "fold" ? form : node.kind).replace("-", "_")}_${node.id}`;
    const prefix = (code: Code, segment: Expr, end: Expr): Expr =>
      prefixAt(code, levels, monoid, segment, end)[field] as Expr;
    const device = ladder.scope === "device";
    const place = (code: Code, cell: Expr): { group: Expr; place: Expr } => {
      if (device) return { group: u32(0), place: cell };
      const at = geometry.place(cell);
      return { group: code.let("group", at.group(code)), place: code.let("place", at.lane(code)) };
    };
    if (form === "exclusive-scan") {
      pass(gather, hint, doc, home, "n", (code, cell) => {
        const at = place(code, cell);
        return prefix(code, at.group, at.place);
      });
    } else if (form === "inclusive-scan") {
      pass(gather, hint, doc, home, "n", (code, cell) => {
        const at = place(code, cell);
        return prefix(code, at.group, code.let("end", add(at.place, u32(1))));
      });
    } else {
      pass(gather, hint, doc, home, cellsOf(gather, node.id), (code, cell) => {
        if (device) return prefix(code, u32(0), geometry.n);
        const { count } = geometry.group(code, cell);
        return prefix(code, code.let("group", cell), count);
      });
    }
  }
}

/**
 * The operand as an array: an input, or the result of a pass. If a work-group's items are not consecutive,
 * they are copied together, each work-group with the space of a full one.
 */
function operandOf(gather: Gather, component: Component, { scope }: Ladder): Fields {
  const { geometry, storage, checked } = gather;
  return component.monoid.types.map((type, field) => {
    const operand = (values: Values, code: Code): Expr => operandsAt(component, values, code)[field] as Expr;
    if (scope === "work-group" && !geometry.contiguous) {
      const size = geometry.groupSize;
      const cells = formula("mul", geometry.groups, size);
      const array = storage.scratch("operand", type, cells);
      pass(gather, "map", "The operand, ordered by work-group.", array, cells, (code, cell) => {
        const number = code.let("group", binary("div", cell, u32(size)));
        const group = geometry.group(code, number);
        const lane = binary("min", sub(cell, mul(number, u32(size))), sub(group.count, u32(1)));
        const place = group.place(code, code.let("place", lane));
        return operand(new Values(siteOf(gather, place)), code);
      });
      return array;
    }
    const node = checked.pipeline.nodes[component.of[field] as NodeId];
    if (node?.kind === "input" && node.type === type) return { space: "storage", name: node.name, type };
    const array = storage.scratch("operand", type, "n");
    pass(gather, "map", "The operand of the following scans and reduces.", array, "n", (code, cell) =>
      operand(new Values(siteAt(gather, code.let("i", cell))), code),
    );
    return array;
  });
}

function titleOf(node: MonoidCollective, { name, builtin, monoid }: Component): string {
  if (node.kind === "fold") return `field ${node.field} of ${node.form} ${name}`;
  return `${node.kind}${"op" in node ? ` ${builtin?.op}` : ""} of ${monoid.types[0]}`;
}

function broadcast(gather: Gather, node: BroadcastNode): void {
  const { storage, geometry } = gather;
  const doc = `broadcast, ${node.scope} scope; an index past the end means the last item`;
  pass(
    gather,
    `broadcast_${node.id}`,
    doc,
    storage.home(node.id) as ArrayRef,
    cellsOf(gather, node.id),
    (code, cell) => {
      const group = node.scope === "device" ? undefined : geometry.group(code, cell);
      const values = new Values(siteOf(gather, group?.first ?? geometry.place(u32(0))));
      const coordinates = node.index.map((id) => values.get(id, code));
      const at = code.let("source", group ? group.item(code, coordinates) : geometry.item(coordinates));
      return new Values(siteAt(gather, at)).get(node.of, code);
    },
  );
}

function cellsOf(gather: Gather, id: NodeId): Formula {
  return gather.storage.elements(gather.checked.rates[id] as never);
}

function writeSinks(gather: Gather, plan: Schedule, stage: number): void {
  const { checked, storage, geometry } = gather;
  for (const sink of plan.sinks.get(stage) ?? []) {
    if (sink.kind !== "output") continue;
    const home = storage.home(sink.of);
    if (home?.name === sink.name) continue;
    const array: ArrayRef = { space: "storage", name: sink.name, type: checked.types[sink.id] as Scalar };
    const rate = checked.rates[sink.id];
    pass(gather, "write", `The output ${sink.name}.`, array, cellsOf(gather, sink.id), (code, cell) => {
      const place = rate === "group" ? geometry.group(code, cell).first : geometry.place(code.let("i", cell));
      return new Values(siteOf(gather, place)).get(sink.of, code);
    });
  }
}
