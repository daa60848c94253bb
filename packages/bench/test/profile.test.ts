import { expect, test } from "vitest";
import { profile } from "../src/measure/profile.ts";
import { printProfile } from "../src/report.ts";

test("each command of a primitive has a time by the device's clock", async () => {
  const result = await profile({ n: 2 ** 12, adapter: "llvmpipe", only: ["compact", "histogram"] });
  const names = result.rows.map(({ what }) => what.split(",")[0]);
  expect(names).toEqual(expect.arrayContaining(["clear", "tile_totals", "finish", "scan"]));
  expect(result.rows.every(({ least, median }) => least > 0 && least <= median)).toBe(true);
  expect(printProfile(result, true)).toMatch(/\| compact \| sum \| [1-9]/);
});
