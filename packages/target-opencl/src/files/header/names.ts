/** The parts of a header's names. */
import { OP_NAMES } from "@groupwise/core";
import type { LibraryFunction } from "@groupwise/core/kernel";

/** The names of one header: `gw_` and `GW_`. */
export interface HeaderNames {
  readonly prefix: string;
  readonly macro: string;
}

export const KINDS = ["reduce", "scan_inclusive", "scan_exclusive"] as const;
export const OPS: readonly string[] = OP_NAMES.map((op) => op.replaceAll("-", "_"));

/** The functions of a type in a header: `reduce_add`, …, `broadcast`. */
export type LibraryCalls = readonly string[];
export const withOp = (calls: LibraryCalls): readonly string[] =>
  calls.filter((name) => name !== "broadcast");

/** The two scans of a pair, in the order in which the pair returns them. */
export const PAIR = ["scan-exclusive", "scan-inclusive"] as const;

/** `scan_exclusive_max`, `broadcast` */
export const callOf = ({ kind, op }: Pick<LibraryFunction, "kind" | "op">): string =>
  [kind, op].filter(Boolean).join("_").replaceAll("-", "_");
