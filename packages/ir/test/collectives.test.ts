import { expect, test } from "vitest";
import { formOf, isMonoid, isPerItem, isPick, isRank, isScan } from "../src/document/collectives.ts";
import type { CollectiveNode, MonoidCollective, QueryNode } from "../src/document/node.ts";
import { isCount, isLinearId, QUERIES, type Query } from "../src/document/query.ts";

const node = (kind: string, more: object = {}): CollectiveNode => ({ kind, ...more }) as CollectiveNode;
const PROPERTIES = { isMonoid, isPick, isRank, isScan, isPerItem };
/** The properties that a collective has. */
const propertiesOf = (one: CollectiveNode): string =>
  Object.entries(PROPERTIES)
    .flatMap(([name, has]) => (has(one) ? [name] : []))
    .join(" ");

const REDUCES = ["reduce", "all", "any"].map((kind) => node(kind));
const SCANS = ["scan-inclusive", "scan-exclusive"].map((kind) => node(kind));
const by = (form: string): CollectiveNode => node("user-collective", { form });

test("a reduce and a vote give one value, a scan a value for each item; all combine by a monoid", () => {
  for (const one of [...REDUCES, by("reduce")]) {
    expect(propertiesOf(one)).toBe("isMonoid");
    expect(formOf(one as MonoidCollective)).toBe("reduce");
  }
  for (const one of [...SCANS, by("scan-inclusive"), by("scan-exclusive")]) {
    expect(propertiesOf(one)).toBe("isMonoid isScan isPerItem");
    expect(formOf(one as MonoidCollective)).toBe("form" in one ? one.form : one.kind);
  }
});

test("a broadcast picks one item's value, and a rank is a number for each item; neither combines", () => {
  expect(propertiesOf(node("broadcast"))).toBe("isPick");
  expect(propertiesOf(node("rank"))).toBe("isRank isPerItem");
});

test("the number of an item is one query, and the number of items another, of the first dimension", () => {
  const all = (Object.keys(QUERIES) as Query[]).flatMap((query) =>
    [0, 1].map((dimension) => ({ id: 0, kind: "query", query, dimension }) as QueryNode),
  );
  expect(all.filter(isLinearId).map(({ query }) => query)).toEqual(["global-linear-id", "global-linear-id"]);
  expect(all.filter(isCount)).toEqual([{ id: 0, kind: "query", query: "global-size", dimension: 0 }]);
  for (const none of [undefined, { kind: "cast", query: "global-linear-id" } as never]) {
    expect(isLinearId(none)).toBe(false);
    expect(isCount(none)).toBe(false);
  }
  expect(isCount({ kind: "cast", query: "global-size", dimension: 0 } as never)).toBe(false);
});
