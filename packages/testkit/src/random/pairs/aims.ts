/** The pairs that the document of a number has. */
import { type NodeOperand, OPERANDS, type Use, usesOf } from "./table.ts";

/** The number of nodes of a document. */
export type PipelineSize = "small" | "large";

/** How large documents are. */
export interface DocumentSize {
  /** Nodes that use one another, beginning with a value of the document. */
  readonly chain: number;
  /** Nodes beyond which operands are existing values. */
  readonly many: number;
  /** The most fields of an operator. */
  readonly fields: number;
}
interface AimedSize extends DocumentSize {
  /** Nodes of a document that use the operand of which it has all or some of the pairs. */
  readonly uses: number;
}
/** The sizes of documents: those of `small` have about 20 nodes, those of `large` 40. */
export const SIZES: Readonly<Record<PipelineSize, AimedSize>> = {
  small: { uses: 3, chain: 3, many: 5, fields: 3 },
  large: { uses: 8, chain: 3, many: 10, fields: 32 },
};

/** An operand, and places that have it. */
export interface Aim {
  readonly operand: NodeOperand;
  readonly uses: readonly Use[];
}
const chunked = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
const aimed = ({ uses }: AimedSize): readonly Aim[] =>
  OPERANDS.flatMap((operand) => chunked(usesOf(operand), uses).map((some) => ({ operand, uses: some })));
const AIMS: Readonly<Record<PipelineSize, readonly Aim[]>> = {
  small: aimed(SIZES.small),
  large: aimed(SIZES.large),
};
/** The number of documents that contain every pair. */
export const roundOf = (size: PipelineSize): number => AIMS[size].length;
// Coprime to the number of aims, so that neighbours differ.
const STRIDE = 1009;

/** The pairs of the document of a number. */
export const aimOf = (size: PipelineSize, number: number): Aim => {
  const aims = AIMS[size];
  return aims[(number * STRIDE) % aims.length] as Aim;
};
