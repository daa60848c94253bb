/** Limits of documents. */
import { OP_NAMES, type Op } from "../tables/op.ts";
import type { ScatterCombine } from "./node.ts";

/** The limits of documents. */
export const LIMITS = {
  nodes: 4096,
  /** Collectives that wait for one another. */
  depth: 64,
  workGroup: 65536,
  /** Characters of a name. */
  name: 64,
  /** Terms of a capacity, with shared terms counted each time. */
  hostParts: 64,
  /** Elements of an output by its capacity, on every target. */
  capacity: 0x80000000,
  /** The maximum of a capacity, or of a part of it, in any run: 1 GiB of u32. */
  fixedCapacity: 0x10000000,
  /** Nodes and fields of operators, counted once for each fold that applies them. */
  userCollectiveNodes: 8192,
  /** Keys of a stable rank: 8 bits of a number. */
  bins: 256,
  /** Maximum number of reported problems of one pipeline. */
  problems: 100,
} as const;

/** The operators that may combine values in one slot of a scatter. */
const COMBINED_BY: { readonly [O in Op]: O extends ScatterCombine ? true : false } = {
  add: true,
  mul: false,
  min: true,
  max: true,
  and: true,
  or: true,
  xor: true,
  "logical-and": false,
  "logical-or": false,
  "logical-xor": false,
};
/** The operators that combine the values of items in one slot of a scatter. */
export const COMBINES: readonly ScatterCombine[] = OP_NAMES.filter(
  (op): op is ScatterCombine => COMBINED_BY[op],
);
