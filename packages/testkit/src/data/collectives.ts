/** Pipelines of collectives: operators × kinds × scope of one input. */
import {
  type Capabilities,
  OP_NAMES,
  type Op,
  type Pipeline,
  SCALAR_NAMES,
  type Scalar,
  type Scope,
} from "@groupwise/core";
import {
  encodeLiteral,
  isSupported,
  type NewNode,
  OPS,
  opExists,
  PipelineNodes,
} from "@groupwise/core/target";

/** The three collectives that an operator has. */
export const KINDS = ["reduce", "scan-inclusive", "scan-exclusive"] as const;
export type Kind = (typeof KINDS)[number];

/** Every element type. */
export const TYPES: readonly Scalar[] = SCALAR_NAMES;
/** Those that a device supports. */
export function typesOf({ scalars }: Capabilities): readonly Scalar[] {
  return TYPES.filter((type) => isSupported(scalars[type]));
}
export const SCOPES: readonly Scope[] = ["work-group", "device"];

/** The operators that exist for a type. */
export function opsOf(type: Scalar): readonly Op[] {
  return OP_NAMES.filter((op) => opExists(op, type));
}

/** Operators that represent all of a type if compiling is slow; i32 runs all the others. */
const FEW: Readonly<Partial<Record<Scalar, readonly Op[]>>> = {
  u32: ["mul", "min", "max"],
  i64: ["add", "mul", "min", "max", "xor", "logical-or"],
  u64: ["mul", "min", "max"],
  bool: ["logical-xor"],
};
/**
 * For device-wide collectives, whose kernels are large. Work-group collectives run the others, which differ only in the
 * operator.
 */
const FEWEST: typeof FEW = {
  ...FEW,
  i32: ["add", "max", "logical-or"],
  u32: ["mul", "min"],
  i64: ["add"],
  u64: ["min"],
  f16: ["add", "min"],
  f64: ["add"],
};

/** The operators to test: all of the type, or those that no operator of another type represents. */
export function opsToTry(type: Scalar, scope: Scope, isThrifty: boolean): readonly Op[] {
  const few = scope === "device" ? FEWEST : FEW;
  return (isThrifty ? few[type] : undefined) ?? opsOf(type);
}

/** The name of an output. */
export function outputName(op: Op | "all" | "any", kind?: Kind): string {
  return [op, kind].filter(Boolean).join("_").replaceAll("-", "_");
}

export interface CollectivesOptions {
  readonly type: Scalar;
  readonly scope: Scope;
  /** One number, or one per dimension. */
  readonly workGroupSize: number | readonly number[];
  readonly ops?: readonly Op[];
  readonly kinds?: readonly Kind[];
  /** The coordinates of a broadcast, one per dimension; absent for no broadcast. */
  readonly broadcast?: readonly number[];
}

/** Every collective of the input `x`, an output each; `all` and `any` too if `x` can be a predicate. */
export function collectivesOf(options: CollectivesOptions): Pipeline {
  const { type, scope, workGroupSize, ops = opsOf(type), kinds = KINDS, broadcast } = options;
  const list = new PipelineNodes();
  const x = list.input("x", type);
  const outputs: [string, number][] = [];
  const add = (name: string, node: NewNode): void => {
    outputs.push([name, list.add(node)]);
  };
  for (const op of ops) {
    const identity = encodeLiteral(type, OPS[op].identity(type));
    for (const kind of kinds)
      add(outputName(op, kind), { kind, op, type, identity, scope, order: "fixed", of: x } as NewNode);
  }
  if (ops.includes("logical-and"))
    for (const kind of ["all", "any"] as const) add(kind, { kind, scope, of: x });
  if (broadcast) {
    const index = broadcast.map((value) => list.constant("u32", value));
    add("broadcast", { kind: "broadcast", scope, of: x, index });
  }
  for (const [name, of] of outputs) list.output(name, of);
  const sides = typeof workGroupSize === "number" ? [workGroupSize] : workGroupSize;
  return list.pipeline(`collectives-${type}-${scope}`, sides);
}
