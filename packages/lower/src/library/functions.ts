/** The functions of a library: every collective, operator and element type that exists, by name. */
import { OP_NAMES, type Op, opExists } from "@groupwise/ir/tables/op.js";
import { SCALAR_NAMES, type Scalar } from "@groupwise/ir/tables/scalar.js";
import type { GroupFeature } from "@groupwise/kernel/capabilities/capabilities.js";
import type { GroupFn } from "@groupwise/kernel/language/module.js";

/**
 * `scans` returns both scans, the exclusive one first. `all` and `any` take a bool; a broadcast takes the
 * linear id of its source.
 */
export type LibraryKind =
  | "reduce"
  | "scan-inclusive"
  | "scan-exclusive"
  | "scans"
  | "all"
  | "any"
  | "broadcast";

/** One function. */
export interface LibraryFunction {
  /** `scan-exclusive-max-i32` */
  readonly name: string;
  readonly kind: LibraryKind;
  /** The operator of reduces and scans. */
  readonly op?: Op;
  readonly type: Scalar;
}

/** A lowered function. */
export interface LibraryGroup extends GroupFn {
  /** Its specification. */
  readonly of: LibraryFunction;
  /** The feature of languages whose functions of the same operator return the same bits. */
  readonly feature: GroupFeature | undefined;
}

const WITH_OP = ["reduce", "scan-inclusive", "scan-exclusive", "scans"] as const;

/** Every function, in the order of the tables. */
export const LIBRARY_FUNCTIONS: readonly LibraryFunction[] = [
  ...SCALAR_NAMES.flatMap((type) =>
    WITH_OP.flatMap((kind) =>
      OP_NAMES.filter((op) => opExists(op, type)).map((op) => ({
        name: `${kind}-${op}-${type}`,
        kind,
        op,
        type,
      })),
    ),
  ),
  ...(["all", "any"] as const).map((kind) => ({ name: kind, kind, type: "bool" as const })),
  ...SCALAR_NAMES.map((type) => ({ name: `broadcast-${type}`, kind: "broadcast" as const, type })),
];
