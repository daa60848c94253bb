/** From a pipeline and what an implementation can do to kernels: strategies in order, the first that fits. */
import { type Capabilities, isSupported, type Support } from "../capabilities.ts";
import { errorOf, type GroupwiseError } from "../errors.ts";
import type { Checked } from "../ir/check.ts";
import { type NodeId, operandsOf, type PipelineNode } from "../ir/node.ts";
import { typesOfOperator } from "../ir/operator.ts";
import { Names } from "../kernel/build.ts";
import { elementBytes } from "../kernel/memory.ts";
import type { Kernel, LaunchParam, Module } from "../kernel/stmt.ts";
import { verify } from "../kernel/verify.ts";
import type { Scalar } from "../scalar.ts";
import { geometryOf } from "./geometry/index.ts";
import { withoutIdle } from "./idle.ts";
import { type InPlace, type InPlaceProblem, inPlaceProblem, placed } from "./in-place.ts";
import { itemsLimit } from "./legalise/forms.ts";
import { unmixRows } from "./legalise/rows.ts";
import { type Split, splitArrays } from "./legalise/split.ts";
import { legaliseTypes } from "./legalise/types.ts";
import { legalise } from "./legalise.ts";
import { exposeLengths, type OutputFacts } from "./lengths.ts";
import { STRATEGIES, type Strategy } from "./strategies.ts";

/** A lowered pipeline, and why it was lowered so. */
export interface Plan {
  readonly checked: Checked;
  readonly capabilities: Capabilities;
  readonly module: Module;
  /** Most items of a run: fewer than the capabilities say where elements have two indexes. */
  readonly maxItems: number;
  /** By output name: what a host must know about it beside its type. */
  readonly outputs: ReadonlyMap<string, OutputFacts>;
  /** The arrays that stand in several bindings, if any do. */
  readonly split?: Split;
  /** The strategy that was taken. */
  readonly strategy: Strategy["name"];
  /** The ones before it, and why they did not fit. */
  readonly passedOver: readonly { readonly strategy: string; readonly reason: string }[];
}

/**
 * Lowers a checked pipeline.
 * @param wishes outputs that shall stand in inputs' arrays
 * @throws GroupwiseError `unsupported`, `in-place-refused`, `work-group-too-large`, `device-limit`
 */
export function lower(given: Checked, capabilities: Capabilities, wishes: InPlace = {}): Plan {
  requireTypes(given, capabilities);
  const { checked, outputs } = exposeLengths(given);
  const passedOver: { strategy: string; reason: string }[] = [];
  let problem: InPlaceProblem | undefined;
  for (const strategy of STRATEGIES) {
    const reason = strategy.refuses(checked, capabilities);
    if (reason !== undefined) {
      passedOver.push({ strategy: strategy.name, reason });
      continue;
    }
    const typed = legaliseTypes(lowerWith(strategy, checked, capabilities), capabilities);
    const tooLarge = memoryProblem(typed.kernels, capabilities);
    if (tooLarge && isOtherwise(strategy, checked, capabilities)) {
      passedOver.push({ strategy: strategy.name, reason: tooLarge.what });
      continue;
    }
    if (tooLarge) throw tooLarge;
    const apart = withoutIdle(legalise(typed, capabilities));
    problem = inPlaceProblem(apart, wishes, capabilities);
    if (problem) {
      passedOver.push({ strategy: strategy.name, reason: `not in place: ${problem.reason}` });
      continue;
    }
    const module = placed(apart, wishes);
    verify(module);
    const maxItems = itemsLimit(module, capabilities);
    return { checked, capabilities, module, maxItems, outputs, strategy: strategy.name, passedOver };
  }
  if (problem) throw errorOf("in-place-refused", problem, given.pipeline.name);
  const reason = passedOver.map((p) => `${p.strategy}: ${p.reason}`).join("; ");
  throw errorOf("unsupported", { what: "this pipeline", reason });
}

/**
 * A plan whose named arrays stand in several bindings.
 * @throws GroupwiseError `unsupported`
 */
export function splitPlan(plan: Plan, split: Split): Plan {
  if (!plan.capabilities.splitArrays)
    throw errorOf("unsupported", {
      what: "an array in several parts",
      reason: "arrays have no names in functions",
    });
  const module = splitArrays(plan.module, split);
  verify(module);
  return { ...plan, module, split };
}

function lowerWith(strategy: Strategy, checked: Checked, capabilities: Capabilities): Module {
  const named = [...checked.inputs, ...checked.params, ...checked.tables, ...checked.sinks].map(
    (node) => node.name,
  );
  const names = new Names(named);
  const geometry = geometryOf(checked, names);
  const params: LaunchParam[] = [
    ...geometry.params,
    ...checked.params.map((node): LaunchParam => ({ name: node.name, type: node.type, role: "user" })),
  ];
  const { buffers, kernels } = strategy.lower(checked, capabilities, names, geometry);
  return { name: checked.pipeline.name, params, buffers, functions: [], kernels: kernels.map(unmixRows) };
}

/** Whether a later strategy can be taken. */
const isOtherwise = (strategy: Strategy, checked: Checked, capabilities: Capabilities): boolean =>
  STRATEGIES.slice(STRATEGIES.indexOf(strategy) + 1).some(
    (later) => later.refuses(checked, capabilities) === undefined,
  );

function memoryProblem(
  kernels: readonly Kernel[],
  { workGroupMemory: limit }: Capabilities,
): GroupwiseError | undefined {
  for (const { name, shared } of kernels) {
    const need = shared.reduce((sum, array) => sum + array.length * elementBytes(array), 0);
    if (need > limit)
      return errorOf("device-limit", { what: "bytes of work-group memory", need, limit }, `kernel ${name}`);
  }
  return undefined;
}

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
  }
  const { operators = [] } = checked.pipeline;
  operators.forEach((operator, index) => {
    const used = nodes.find((node) => node.kind === "fold" && node.operator === index);
    if (!used) return;
    for (const type of new Set(typesOfOperator(operator))) {
      const what = `${type}, which the operator ${operator.name} computes with,`;
      require(capabilities.scalars[type], what, used);
    }
  });
}

/**
 * What is an index alone is no element of any array: where it is a number of an item, an element or a dimension, it
 * needs no element type.
 */
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
