/** The functions of a pipeline in its manifest, for hosts that read it in place of the header. */
import {
  type CallArgument,
  type CallScalar,
  type Manifest,
  type ManifestCall,
  SCALAR_NAMES,
} from "@groupwise/core";
import { unmarked } from "@groupwise/core/kernel";
import { tablesOf } from "@groupwise/core/target";
import { type Argument, lengthOf } from "./arguments.ts";
import { hostType } from "./spelling/types.ts";

/** The scalars of a manifest by their types in C. */
const SCALARS_IN_C: ReadonlyMap<string, CallScalar["scalar"]> = new Map([
  ["size_t", "size"],
  ["int", "i32"],
  ...SCALAR_NAMES.map((type) => [hostType(type), type === "f16" ? "u16" : type] as const),
]);

/** One function. */
export function callOf(
  manifest: Manifest,
  name: string,
  args: readonly Argument[],
  scratch: ManifestCall["scratch"],
): ManifestCall {
  const tables = new Map(tablesOf(manifest).map((table) => [lengthOf(manifest, table.name), table.name]));
  const argumentOf = ({ name: marked, type, isPointer }: Argument): CallArgument => {
    const given = unmarked(marked);
    if (isPointer) return { name: given, array: type.startsWith("const ") ? "read" : "read-write" };
    const table = tables.get(given);
    const scalar = SCALARS_IN_C.get(type) as CallScalar["scalar"];
    return { name: given, scalar, ...(table !== undefined && { table }) };
  };
  return { function: name, arguments: args.map(argumentOf), scratch };
}
