/** Random valid pipelines over the whole Pipeline IR, with the data of a run: nodes that use one another, and motifs that chance seldom makes. */
import { SCALAR_NAMES, type Scalar } from "@groupwise/core";
import { type BinaryOp, isLogical, OPS } from "@groupwise/core/target";
import { randomOf } from "../../data/random.ts";
import type { DocumentSize, PipelineSize } from "../pairs/aims.ts";
import { accepted, caseOf } from "../pairs/document.ts";
import { Draft, type Value } from "../pairs/draft.ts";
import { shapeOf } from "../pairs/range.ts";
import { addRanked } from "../pairs/ranked.ts";
import { OPERANDS, USES, type Use, usesOf } from "../pairs/table.ts";
import { weighted } from "./builder.ts";
import type { RandomCase } from "./case.ts";
import { randomFunction } from "./functions.ts";
import { companyOf } from "./together.ts";

type Seeds = readonly (string | number)[];

interface Size extends DocumentSize {
  /** The most steps, of which each adds a node and those that it lacks. */
  readonly steps: number;
}
/** Small pipelines compile in one second, large ones in ten. */
const SIZES: Readonly<Record<PipelineSize, Size>> = {
  small: { steps: 4, chain: 2, many: 8, fields: 3 },
  large: { steps: 22, chain: 3, many: 40, fields: 8 },
};
/** New operands are inputs, parameters and constants: steps make the others. */
const LEAVES = 3;
/** The part of ranges of one dimension that have many work-groups. */
const LONG = 0.4;

/** The case that a size and seeds name. */
export const pipelineCase = (size: PipelineSize, ...seeds: Seeds): RandomCase =>
  made(size, "v", seeds, seeds);

/** The case of a number, with the range and the data of its company. */
export function pipelineInCompany(size: PipelineSize, seed: string, number: number): RandomCase {
  const { block, prefix } = companyOf(number);
  return made(size, prefix, [seed, "company", block], [seed, "alone", number]);
}

/** @param shared what range and data follow from */
const made = (size: PipelineSize, prefix: string, shared: Seeds, own: Seeds): RandomCase =>
  accepted((tried, zeros) => {
    const shape = shapeOf(randomOf("range of pipelines", size, ...shared), LONG);
    const random = randomOf("pipelines", size, ...own, tried);
    const draft = new Draft(random, shape.globalSize, prefix, SIZES[size], zeros);
    grow(draft, SIZES[size].steps);
    return caseOf(draft, "random", shape, { seed: ["data", ...shared].join(" ") });
  });

function grow(draft: Draft, most: number): void {
  const { random } = draft;
  // Few types, so that values meet.
  const types = new Set<Scalar>(["u32", "bool", random.pick(["i32", "f32"]), random.pick(SCALAR_NAMES)]);
  const operands = OPERANDS.filter(({ type }) => types.has(type));
  const stored = USES.filter(({ slot }) => slot.name === "value" && types.has(slot.type));
  draft.operand({ name: "", type: random.pick([...types]) }, "item", "item", LEAVES);
  for (let steps = random.int(2, most); steps > 0; steps--)
    weighted<() => unknown>(random, [
      [14, () => draft.make(random.pick(operands), LEAVES)],
      [3, () => applied(draft, random.pick([...types]))],
      [2, () => seeded(draft)],
      [1, () => reversed(draft, random.pick([...types]))],
      [1, () => neighbour(draft, random.pick([...types]))],
      [1, () => scattered(draft, random.pick(stored))],
    ])();
  if (random.chance(0.25)) draft.chain();
  draft.outputs([(draft.values.at(-1) as Value).id]);
  if (random.chance(0.3)) addRanked(draft, random);
}

const itemOf = (draft: Draft, type: Scalar): number =>
  draft.operand({ name: "", type }, "item", undefined, LEAVES);

const linear = (draft: Draft): number =>
  draft.plain("query", { query: "global-linear-id", dimension: 0 }, "u32", "item");

/** Any function: forms seldom have those that are costly to emit. */
function applied(draft: Draft, type: Scalar): void {
  const made = randomFunction(draft.random, type, SCALAR_NAMES, (wanted) => itemOf(draft, wanted));
  if (made)
    draft.add(
      { kind: "function", type: made.type, slots: [], rate: "operands", node: () => ({ ...made.node }) },
      made.node.of,
    );
}

/** A value that precedes all items of a collective. */
function seeded(draft: Draft): void {
  const combined = draft.values.filter(({ kind, type }) => /^(reduce|scan)/.test(kind) && type !== "bool");
  if (combined.length === 0) return;
  const { id, type, rate } = draft.random.pick(combined);
  const op = draft.nodes[id]?.op as keyof typeof OPS;
  if (isLogical(op)) return;
  const left = draft.operand({ name: "", type }, "uniform", undefined, LEAVES);
  draft.plain("binary", { op: OPS[op].elementwise, left, right: id }, type, rate);
}

/** A scan from the end. */
function reversed(draft: Draft, type: Scalar): void {
  const u32 = (op: BinaryOp, left: number, right: number): number =>
    draft.plain("binary", { op, left, right }, "u32", draft.rateOf(right));
  const side = (_: number, dimension: number): number =>
    draft.plain("query", { query: "global-size", dimension }, "u32", "uniform");
  const items = draft.sides.map(side).reduce((all, one) => u32("mul", all, one));
  const index = u32("sub", u32("sub", items, draft.constant(1)), linear(draft));
  const of = draft.plain("gather", { of: itemOf(draft, type), index }, type, "item");
  const scans = usesOf(draft.valueOf(of)).filter(({ kind }) => /^scan-inclusive of a device$/.test(kind));
  if (scans.length > 0)
    draft.plain("gather", { of: draft.use(draft.random.pick(scans), of), index }, type, "item");
}

/** A value of an item nearby, which for some items is outside of the range. */
function neighbour(draft: Draft, type: Scalar): void {
  const { random } = draft;
  const [left, right] = [linear(draft), draft.constant(random.int(0, 9))];
  const index = draft.plain("binary", { op: random.pick(["add", "sub", "xor"]), left, right }, "u32", "item");
  draft.plain("gather", { of: itemOf(draft, type), index }, type, "item");
}

function scattered(draft: Draft, use: Use): void {
  draft.use(use, itemOf(draft, use.slot.type));
}
