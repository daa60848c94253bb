/** Keys and values of items, and indexes of counts. */
import type { RankNode, ScatterNode } from "@groupwise/ir/document/node.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, mul } from "@groupwise/kernel/language/make-expr.js";
import { siteAt } from "../parts/site.ts";
import { Values } from "../parts/values.ts";
import { toWords } from "../parts/words.ts";
import type { Context } from "../work-groups/context.ts";

/** The values of an item. */
export const valuesAt = (context: Context, item: Expr): Values => new Values(siteAt(context, item));

/** The key of an item, a name that is known to be below the number of bins. */
export const keyOf = ({ of, bins }: RankNode, values: Values, code: Code): Expr =>
  code.let("key", binary("min", values.get(of, code), bins - 1));

/** The words of the value that a scatter moves. */
export const wordsOf = ({ value }: ScatterNode, values: Values, code: Code): readonly Expr[] =>
  toWords(code.let("value", values.get(value, code)));

/** The index of the count of a bin and a tile. @param tiles their number */
export const countAt = (tiles: Expr, bin: Expr, tile: Expr): Expr => add(mul(bin, tiles), tile);
