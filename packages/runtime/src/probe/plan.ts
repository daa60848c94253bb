/** The plan of a probe, which targets print as they print pipelines. */
import type { Checked } from "@groupwise/ir/document/check.js";
import { FORMAT_VERSION } from "@groupwise/ir/document/node.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { runPasses } from "@groupwise/kernel/passes/base/pass.js";
import { PASSES } from "@groupwise/kernel/passes/list.js";
import { probeModule } from "@groupwise/kernel/probe/module.js";
import { GROUP, type ProbeRow } from "@groupwise/kernel/probe/rows.js";
import type { Plan } from "@groupwise/lower/lower.js";

const NOTHING = {
  ...{ types: [], uniformities: [], inputs: [], params: [], tables: [], sinks: [] },
  pipeline: { version: FORMAT_VERSION, name: "probe", workGroupSize: [GROUP], nodes: [] },
} as unknown as Checked;

/** @throws GroupwiseError what passes refuse */
export function probePlan(rows: readonly ProbeRow[], capabilities: Capabilities): Plan {
  const module = runPasses(PASSES, probeModule(rows, capabilities), { capabilities });
  if ("refused" in module) throw module.error;
  const others = { maxItems: capabilities.maxItems, outputs: new Map(), passedOver: [] };
  return { checked: NOTHING, capabilities, module, strategy: "reduce-then-scan", ...others };
}
