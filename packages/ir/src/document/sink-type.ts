import type { ArrayType } from "../tables/narrow.ts";
import type { Scalar } from "../tables/scalar.ts";
import type { SinkNode } from "./node.ts";

/** The type of the elements of an output; that of its value is in `types`. */
export const typeOfSink = (
  { types }: { readonly types: readonly Scalar[] },
  { id, as }: Pick<SinkNode, "id" | "as">,
): ArrayType => as ?? (types[id] as Scalar);
