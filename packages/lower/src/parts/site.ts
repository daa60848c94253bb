/** The values of an item that kernels read. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId, TableNode } from "@groupwise/ir/document/node.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { binary, lt, sub, zeroOf } from "@groupwise/kernel/language/make-expr.js";
import type { Geometry, Place } from "../geometry/index.ts";
import type { Storage } from "./storage.ts";
import type { Site } from "./values.ts";

/** The context that the kernels of every strategy share. */
export interface SiteContext {
  readonly checked: Checked;
  readonly geometry: Geometry;
  readonly storage: Storage;
  /** Values of `storage.materialized` that earlier stages have written: at the item itself they are read too. */
  readonly written: ReadonlySet<NodeId>;
  readonly capabilities?: Pick<Capabilities, "windows" | "scalars">;
}

/** The site of an item, whose leaves are inputs and values that earlier stages stored. */
export function siteOf(
  { checked, storage, written, capabilities }: Omit<SiteContext, "geometry">,
  place: Place,
): Site {
  const { geometry } = storage;
  const siteIn = (where: Place, materialized: ReadonlySet<NodeId>): Site => ({
    checked,
    place: where,
    materialized,
    ...(capabilities?.windows && { windowed: geometry.n }),
    comparesPairs: capabilities?.scalars.u64 === "native",
    leaf: (node, code) => storage.read(node.id, where, code),
    lengthOf: (id) => geometry.lengthOf((checked.pipeline.nodes[id] as TableNode).name),
    table: (place, code) => storage.readTable(place, code),
    ...(capabilities?.windows && { either: storage.readEither.bind(storage) }),
    scattered: (node, index, lengths, code) => storage.readScatter(node, index, lengths, code),
    // Over no items nothing can be read, but uniform values may be evaluated.
    elsewhere: (index, known, code) => {
      const count = known === "uniform" ? binary("max", geometry.n, 1) : geometry.n;
      const at = known === "inside" ? index : clampTo(index, count);
      return siteIn(geometry.place(code.let("at", at)), storage.materialized);
    },
  });
  return siteIn(place, written);
}

/** The index, clamped to the last item. @param count at least 1 */
export const clampTo = (index: Expr, count: Expr): Expr =>
  index.kind === "const" && index.value === 0 ? index : binary("min", index, sub(count, 1));

/** The site of the item with a number. */
export function siteAt(around: SiteContext, index: Expr): Site {
  return siteOf(around, around.geometry.place(index));
}

/**
 * What a broadcast over the whole range picks: 0 where there are no items, since arrays have no element at its coordinates then.
 * @param elementAt the value at a linear id
 */
export function pickedFrom(
  { n, item }: Geometry,
  code: Code,
  { type, coordinates }: { readonly type: Expr["type"]; readonly coordinates: readonly Expr[] },
  elementAt: (inner: Code, at: Expr) => Expr,
): Expr {
  const picked = code.var("picked", zeroOf(type));
  code.if(lt(0, n), (some) => some.assign(picked, elementAt(some, some.let("source", item(coordinates)))));
  return picked;
}
