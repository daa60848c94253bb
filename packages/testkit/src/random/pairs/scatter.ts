/** Scatters whose results are defined. */
import type { Draft, Value } from "./draft.ts";
import type { Form, Slot } from "./forms.ts";
import { ON_HOST } from "./table.ts";

/** A scatter in which no two items write one slot unless it combines them, and none writes outside. */
export function scatter(draft: Draft, form: Form, given: string, own: Value): number {
  const { random } = draft;
  const isItem = (name: string, id: () => number, chance: number): number | undefined =>
    given === name ? own.id : given !== "where" && random.chance(chance) ? id() : undefined;
  const u32: Slot = { name: "", type: "u32" };
  const capacity =
    given === "capacity"
      ? draft.onHost(own.kind)
      : isItem("capacity", () => draft.onHost(random.pick(ON_HOST)), 0.3);
  const length = isItem("length", () => draft.operand(u32, "uniform", undefined, 2), 0.3);
  const value =
    given === "value" ? own.id : draft.operand({ name: "", type: form.type }, "item", undefined, 2);
  const linear = (): number =>
    draft.plain("query", { query: "global-linear-id", dimension: 0 }, "u32", "item");
  const where: number[] = given === "where" ? [own.id] : [];
  const compared = (op: string, left: number, right: number): number =>
    draft.plain("comparison", { op, left, right }, "bool", "item");
  const isCombining = form.kind === "combining scatter";
  const unique: readonly (() => number)[] = [
    linear,
    () =>
      draft.plain(
        "binary",
        { op: "sub", left: draft.constant(Math.max(0, draft.items - 1)), right: linear() },
        "u32",
        "item",
      ),
    () => draft.make({ kind: "rank", type: "u32", rate: "item" }, 2),
    () => counted(draft, where),
    () => ofGroups(draft, where),
  ];
  const isFree = given === "slot" || (given !== "where" && random.chance(isCombining ? 0.7 : 0.2));
  const slot =
    given === "slot"
      ? own.id
      : isFree
        ? draft.operand({ name: "index", type: "u32" }, "item", undefined, 2)
        : random.pick(given === "where" ? unique.slice(0, 3) : unique)();
  if (isFree && !isCombining)
    where.push(compared("eq", linear(), draft.constant(draft.number(Math.max(0, draft.items - 1)))));
  for (const end of [capacity, length]) if (end !== undefined) where.push(compared("lt", slot, end));
  if (isFree && capacity === undefined) where.push(compared("lt", slot, draft.constant(draft.items)));
  const condition = where.reduce<number | undefined>(
    (left, right) =>
      left === undefined ? right : draft.plain("binary", { op: "and", left, right }, "bool", "item"),
    undefined,
  );
  return draft.add(form, [value, slot, condition, length, capacity] as number[]);
}
/** Slots that count the items that write. */
function counted(draft: Draft, where: number[]): number {
  const flag = draft.operand({ name: "", type: "bool" }, "item", undefined, 2);
  where.push(flag);
  const of = draft.plain("cast", { to: "u32", of: flag }, "u32", draft.rateOf(flag));
  const sum = { op: "add", type: "u32", identity: 0, scope: "device", order: "fixed", of };
  return draft.plain("scan-exclusive of a device", sum, "u32", "item");
}
/** A slot for each work-group of the first dimension, which its first item writes. */
function ofGroups(draft: Draft, where: number[]): number {
  const zero = draft.constant(0);
  for (let dimension = 0; dimension < draft.dimensions; dimension++) {
    const query = dimension === 0 ? "local-id" : "global-id";
    const left = draft.plain("query", { query, dimension }, "u32", "item");
    const offset = draft.plain("query", { query: "global-offset", dimension }, "u32", "uniform");
    where.push(
      draft.plain("comparison", { op: "eq", left, right: dimension === 0 ? zero : offset }, "bool", "item"),
    );
  }
  return draft.plain("query", { query: "group-id", dimension: 0 }, "u32", "group");
}
