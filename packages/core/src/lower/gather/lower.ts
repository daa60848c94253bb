/**
 * Chains of gather passes: every pass computes each cell of one array on its own, from arrays that are
 * complete. Scans go up through totals of blocks of eight, and come down again as prefixes.
 */
import type { Capabilities } from "../../capabilities.ts";
import type { Formula } from "../../formula.ts";
import type { Checked } from "../../ir/check.ts";
import { type BroadcastNode, groupSizeOf, isCollective, isScan, type NodeId } from "../../ir/node.ts";
import type { ArrayRef, Code, Names } from "../../kernel/build.ts";
import { add, binary, type Expr, mul, type ParamExpr, sub, u32 } from "../../kernel/expr.ts";
import type { Buffer, Kernel } from "../../kernel/stmt.ts";
import type { Scalar } from "../../scalar.ts";
import { type Component, componentsOf, isMonoid, normalised } from "../monoid.ts";
import { type Latency, type Schedule, schedule } from "../schedule.ts";
import { Storage, siteAt } from "../storage.ts";
import { Values } from "../values.ts";
import { type Gather, pass } from "./context.ts";
import { type Ladder, ladderOf, prefixAt, rungs } from "./ladder.ts";

const LATENCY: Latency = {
  start: (_, ready) => Math.max(ready, 0),
  ready: (_, start) => start + 1,
  firstStage: 0,
  rewalks: false,
  inWalk: () => false,
};

export function lowerGather(
  checked: Checked,
  capabilities: Capabilities,
  names: Names,
  n: ParamExpr,
): { buffers: Buffer[]; kernels: Kernel[] } {
  const plan = schedule(checked, LATENCY);
  // Uniform outputs follow their collectives' passes, so they read what the others read: from memory.
  const collectives = checked.pipeline.nodes.filter(isCollective);
  const storage = new Storage(checked, names, new Set(collectives.map((node) => node.id)));
  const groupSize = groupSizeOf(checked.pipeline);
  const gather: Gather = { checked, storage, names, n, groupSize, kernels: [] };
  for (const stage of plan.stages) {
    const mine = collectives.filter((node) => plan.start.get(node.id) === stage);
    for (const scope of ["work-group", "device"] as const) {
      for (const component of componentsOf(mine.filter(isMonoid).filter((node) => node.scope === scope))) {
        scanComponent(gather, component, ladderOf(gather, scope, capabilities.maxItems));
      }
    }
    for (const node of mine.filter((other) => other.kind === "broadcast")) broadcast(gather, node);
    writeSinks(gather, plan, stage);
  }
  return { buffers: storage.buffers, kernels: gather.kernels };
}

function scanComponent(gather: Gather, component: Component, ladder: Ladder): void {
  const { storage, n, groupSize } = gather;
  const { op, type, monoid } = component;
  const operand = operandOf(gather, component);
  const levels = rungs(gather, ladder, monoid, operand);
  const identity = monoid.identity[0] as Expr;
  for (const node of component.nodes) {
    const home = storage.home(node.id) as ArrayRef;
    const doc = `${node.kind}${"op" in node ? ` ${op}` : ""} of ${type}, ${ladder.scope} scope`;
    const hint = `${node.kind.replace("-", "_")}_${node.id}`;
    const device = ladder.scope === "device";
    const place = (code: Code, cell: Expr): { group: Expr; place: Expr } => {
      if (device) return { group: u32(0), place: cell };
      const group = code.let("group", binary("div", cell, u32(groupSize)));
      return { group, place: code.let("place", sub(cell, mul(group, u32(groupSize)))) };
    };
    if (node.kind === "exclusive-scan") {
      pass(gather, hint, doc, home, "n", (code, cell) => {
        const at = place(code, cell);
        return prefixAt(code, levels, monoid, at.group, at.place, identity);
      });
    } else if (isScan(node)) {
      pass(gather, hint, doc, home, "n", (code, cell) => {
        const at = place(code, cell);
        return prefixAt(code, levels, monoid, at.group, code.let("end", add(at.place, u32(1))), identity);
      });
    } else {
      pass(gather, hint, doc, home, cellsOf(gather, node.id), (code, cell) => {
        if (device) return prefixAt(code, levels, monoid, u32(0), n, identity);
        const size = code.let("size", binary("min", u32(groupSize), sub(n, mul(cell, u32(groupSize)))));
        return prefixAt(code, levels, monoid, code.let("group", cell), size, identity);
      });
    }
  }
}

/** The operand as an array: an input as it stands, or the result of a pass. */
function operandOf(gather: Gather, { of, op, type }: Component): ArrayRef {
  const node = gather.checked.pipeline.nodes[of];
  if (node?.kind === "input" && node.type === type) return { space: "storage", name: node.name, type };
  const array = gather.storage.scratch("operand", type, "n");
  pass(gather, "map", "The operand of the scans and reduces that follow.", array, "n", (code, cell) =>
    normalised(op, type, new Values(siteAt(gather, code.let("i", cell))).get(of, code)),
  );
  return array;
}

function broadcast(gather: Gather, node: BroadcastNode): void {
  const { storage, n, groupSize } = gather;
  const doc = `broadcast, ${node.scope} scope; an index past the end means the last item`;
  pass(
    gather,
    `broadcast_${node.id}`,
    doc,
    storage.home(node.id) as ArrayRef,
    cellsOf(gather, node.id),
    (code, cell) => {
      const start = node.scope === "device" ? u32(0) : code.let("start", mul(cell, u32(groupSize)));
      const index = new Values(siteAt(gather, start)).get(node.index[0] as NodeId, code);
      const last = code.let("last", sub(sub(n, u32(1)), start));
      const size = node.scope === "device" ? last : binary("min", last, u32(groupSize - 1));
      const at = code.let("source", add(start, binary("min", index, size)));
      return new Values(siteAt(gather, at)).get(node.of, code);
    },
  );
}

function cellsOf(gather: Gather, id: NodeId): Formula {
  return gather.storage.elements(gather.checked.rates[id] as never);
}

function writeSinks(gather: Gather, plan: Schedule, stage: number): void {
  const { checked, storage, groupSize } = gather;
  for (const sink of plan.sinks.get(stage) ?? []) {
    if (sink.kind !== "output") continue;
    const home = storage.home(sink.of);
    if (home?.name === sink.name) continue;
    const array: ArrayRef = { space: "storage", name: sink.name, type: checked.types[sink.id] as Scalar };
    const rate = checked.rates[sink.id];
    pass(gather, "write", `The output ${sink.name}.`, array, cellsOf(gather, sink.id), (code, cell) => {
      const item = rate === "group" ? mul(cell, u32(groupSize)) : cell;
      return new Values(siteAt(gather, code.let("i", item))).get(sink.of, code);
    });
  }
}
