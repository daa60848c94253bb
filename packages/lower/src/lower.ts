/** Lowers a pipeline for the capabilities of an implementation, with the first strategy that accepts it. */
import { errorOf, type GroupwiseError } from "@groupwise/ir/base/errors.js";
import { Names } from "@groupwise/ir/base/names.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { isSink, operandsOf } from "@groupwise/ir/document/operands.js";
import { typesOfOperator } from "@groupwise/ir/document/operator.js";
import { isNarrow, type Narrow } from "@groupwise/ir/tables/narrow.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { type Capabilities, isSupported, type Support } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Kernel, LaunchParam, Module } from "@groupwise/kernel/language/module.js";
import {
  type InPlaceOutputs,
  type PassRefusal,
  runPasses,
  type Split,
} from "@groupwise/kernel/passes/base/pass.js";
import { PASSES, SPLIT_PASSES } from "@groupwise/kernel/passes/list.js";
import { itemsLimit } from "@groupwise/kernel/passes/types/forms.js";
import { geometryOf } from "./geometry/index.ts";
import { memoryProblem } from "./memory.ts";
import { orderedByKeys } from "./parts/float-keys.ts";
import { exposeLengths, type OutputFacts } from "./parts/lengths.ts";
import type { Carries, Carrying, Strategy } from "./parts/strategy.ts";
import { refusalOf, STRATEGIES } from "./strategies.ts";
import { withoutUnread } from "./unread.ts";

// Checks the types and scatters of a pipeline that an implementation may lack.
function requireTypes(checked: Checked, capabilities: Capabilities): void {
  const { nodes } = checked.pipeline;
  const require = (support: Support, what: string, node: PipelineNode): void => {
    if (isSupported(support)) return;
    throw errorOf(
      "unsupported",
      { what, reason: support.unsupported },
      node.at ?? `node ${node.id} (${node.kind})`,
    );
  };
  const indexes = indexesAlone(nodes);
  for (const node of nodes) {
    if (indexes.has(node.id)) continue;
    require(capabilities.scalars[checked.types[node.id] as Scalar], checked.types[node.id] as Scalar, node);
    if (node.kind === "scatter") require(capabilities.scatter, "scatter", node);
    const array = arrayTypeOf(node);
    if (array !== undefined && typeof capabilities.narrow === "object")
      require(capabilities.narrow, array, node);
  }
  const { operators = [] } = checked.pipeline;
  operators.forEach((operator, index) => {
    const used = nodes.find((node) => node.kind === "user-collective" && node.operator === index);
    if (!used) return;
    for (const type of new Set(typesOfOperator(operator))) {
      const what = `${type}, which the operator ${operator.name} computes with,`;
      require(capabilities.scalars[type], what, used);
    }
  });
}

/** The narrow type of an array that the node represents. */
function arrayTypeOf(node: PipelineNode): Narrow | undefined {
  if (isSink(node)) return node.as;
  return (node.kind === "input" || node.kind === "table") && isNarrow(node.type) ? node.type : undefined;
}

/** Nodes that are only indexes need no element type of the target. */
function indexesAlone(nodes: readonly PipelineNode[]): ReadonlySet<NodeId> {
  const used = new Set<NodeId>();
  const others = new Set<NodeId>();
  for (const user of nodes.toReversed()) {
    const isIndex = isNumber(user) && used.has(user.id) && !others.has(user.id);
    for (const id of operandsOf(user)) {
      used.add(id);
      const isFor = (user.kind === "broadcast" || user.kind === "gather") && user.of !== id;
      if (!isFor && !isIndex) others.add(id);
    }
  }
  return new Set(nodes.filter((n) => isNumber(n) && used.has(n.id) && !others.has(n.id)).map(({ id }) => id));
}

const isNumber = (node: PipelineNode): boolean =>
  node.kind === "const" ||
  node.kind === "query" ||
  node.kind === "table-length" ||
  (node.kind === "binary" && (node.op === "min" || node.op === "max"));

/** A lowered pipeline, and the reasons for the choices. */
export interface Plan {
  readonly checked: Checked;
  readonly capabilities: Capabilities;
  readonly module: Module;
  /** Maximum number of items: less than that of the capabilities if elements have two words. */
  readonly maxItems: number;
  /** By output name: facts for hosts besides its type. */
  readonly outputs: ReadonlyMap<string, OutputFacts>;
  /** The arrays that are split into several bindings, if any. */
  readonly split?: Split;
  /** The chosen strategy. */
  readonly strategy: Strategy["name"];
  /** For a pipeline over a chunk: the chunks that the kernels accept. */
  readonly carries?: Carries;
  /** The strategies that refused, with the reasons. */
  readonly passedOver: readonly { readonly strategy: string; readonly reason: string }[];
}

/**
 * Lowers a checked pipeline.
 * @param wishes requests for outputs that use the arrays of inputs
 * @param carrying given if the pipeline runs over a chunk
 * @throws GroupwiseError `unsupported`, `in-place-refused`, `work-group-too-large`, `device-limit`
 */
export function lower(
  given: Checked,
  capabilities: Capabilities,
  wishes: InPlaceOutputs = {},
  carrying?: Carrying,
): Plan {
  requireTypes(given, capabilities);
  // A state has values of the pipeline's own types, and identifies scans by their ids.
  const { checked, outputs } = exposeLengths(
    carrying ? given : orderedByKeys(withoutUnread(given), capabilities),
  );
  const passedOver: { strategy: string; reason: string }[] = [];
  let problem: GroupwiseError | undefined;
  for (const strategy of STRATEGIES) {
    const reason = refusalOf(strategy, checked, capabilities, carrying);
    if (reason !== undefined) {
      passedOver.push({ strategy: strategy.name, reason });
      continue;
    }
    const lowered = lowerWith(strategy, checked, capabilities, carrying, wishes);
    const module = "refused" in lowered ? lowered : runPasses(PASSES, lowered, { capabilities, wishes });
    if ("refused" in module) {
      passedOver.push({ strategy: strategy.name, reason: module.refused });
      problem = module.error;
      continue;
    }
    const maxItems = itemsLimit(module, capabilities);
    const { name, carries } = strategy;
    const own = { strategy: name, passedOver, ...(carrying && carries && { carries }) };
    return { checked, capabilities, module, maxItems, outputs, ...own };
  }
  if (problem) throw problem;
  const reason = passedOver.map((p) => `${p.strategy}: ${p.reason}`).join("; ");
  throw errorOf("unsupported", { what: "this pipeline", reason });
}

/**
 * A plan whose named arrays are split into several bindings.
 * @throws GroupwiseError `unsupported`
 */
export function splitPlan(plan: Plan, split: Split): Plan {
  if (!plan.capabilities.splitArrays)
    throw errorOf("unsupported", {
      what: "an array split into parts",
      reason: "functions cannot access arrays by name",
    });
  const module = runPasses(SPLIT_PASSES, plan.module, { capabilities: plan.capabilities, split });
  if ("refused" in module) throw module.error;
  return { ...plan, module, split };
}

/** The module that a strategy makes of a pipeline, before any pass. */
export function lowerWith(
  strategy: Strategy,
  given: Checked,
  capabilities: Capabilities,
  carrying?: Carrying,
  wishes: InPlaceOutputs = {},
): Module | PassRefusal {
  const isInPlace = Object.keys(wishes).length > 0;
  const checked = carrying ? { ...given, counted: carrying.counted } : given;
  const named = [...checked.inputs, ...checked.params, ...checked.tables, ...checked.sinks].map(
    (node) => node.name,
  );
  const names = new Names(named);
  const geometry = geometryOf(checked, names);
  const params: LaunchParam[] = [
    ...geometry.params,
    ...checked.params.map(
      ({ name, type, divides }): LaunchParam => ({ name, type, role: "user", ...(divides && { divides }) }),
    ),
  ];
  const { buffers, kernels } = strategy.lower({
    checked,
    capabilities,
    names,
    geometry,
    isInPlace,
    carrying,
  });
  const made: Kernel[] = [];
  for (const kernel of kernels) {
    const error = memoryProblem(kernel, capabilities);
    if (error) return { refused: error.what, error };
    made.push(kernel);
  }
  const module: Module = { name: checked.pipeline.name, params, buffers, functions: [], kernels: made };
  return carrying ? carrying.ordered(module) : module;
}
