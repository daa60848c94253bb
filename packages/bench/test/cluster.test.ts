/** The plan of a run on many machines. */
import { expect, test } from "vitest";
import { planOf, printCluster } from "../src/cluster/cluster.ts";

const choice = {
  ranks: 10_000,
  items: 1e15,
  chunk: 2 ** 20,
  latencyUs: 2,
  networkRate: 1e10,
  fileRate: 1e12,
  n: 1,
};
const rates = { long: 1, part: 2, merge: 0.5, bytes: 1000 };

test("a plan contains the bytes, messages and time of the ranks", () => {
  expect(planOf(choice, rates).map(([, amount]) => Number(amount))).toEqual([
    1e11, // items
    4e11, // bytes
    300, // loops: both passes
    1000,
    14, // rounds: 2^13 < 10^4 <= 2^14
    1.4e8,
    2.9e-5, // 14 messages of 2.1 us, rounded
    1.4e-5, // 28 merges
    0.026, // 10^4 messages and merges, one after the other
    1.9e5, // twice 95,368 chunks, rounded
    5.34, // 14 messages for each
    1.2e16,
    12_000,
  ]);
});

test("is printed with the rates that it is computed from", () => {
  const given = {
    surroundings: {} as never,
    choice,
    absent: [{ name: "MPICH", reason: "it is not installed" }],
  };
  const rows: string[][] = [];
  const text = printCluster({ ...given, rates: [{ library: "L", rates }], plan: [["a", "1"]] }, (table) => {
    rows.push(...table);
    return "";
  });
  expect(rows).toEqual([
    ["library", "long", "part", "merge", "bytes"],
    ["L", "1", "2", "0.5", "1000"],
    ["", "1.0e+15 f32 on 10000 ranks"],
    ["a", "1"],
  ]);
  expect(text).toContain("MPICH: it is not installed");
});
