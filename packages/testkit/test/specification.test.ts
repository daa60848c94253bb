import { QUERIES } from "@groupwise/core/target";
import { describe, expect, it } from "vitest";
import { checksOf } from "../src/checks/index.ts";
import { SPECIFICATION, WORK_ITEM_FUNCTIONS } from "../src/data/specification.ts";
import { provenRows } from "../src/proof.ts";

/** Copied from OpenCL C's sections "Work-Group Collective Functions", "Work-Group Uniform Arithmetic" and "Work-Item Functions". */
const COLLECTIVE_OPS = ["add", "min", "max"];
const UNIFORM_OPS = ["mul", "and", "or", "xor", "logical_and", "logical_or", "logical_xor"];
const LISTED = [
  ...["work_group_all", "work_group_any", "work_group_broadcast"],
  ...[...COLLECTIVE_OPS, ...UNIFORM_OPS].flatMap((op) =>
    ["reduce", "scan_exclusive", "scan_inclusive"].map((kind) => `work_group_${kind}_${op}`),
  ),
  ...["get_work_dim", "get_global_size", "get_global_id", "get_local_size", "get_enqueued_local_size"],
  ...["get_local_id", "get_num_groups", "get_group_id", "get_global_offset"],
  ...["get_global_linear_id", "get_local_linear_id"],
];
const TYPES: Readonly<Record<string, readonly string[]>> = {
  "work_group_(reduce|scan_\\w+)_(add|mul|min|max)": ["i32", "u32", "i64", "u64", "f16", "f32", "f64"],
  "work_group_(reduce|scan_\\w+?)_(and|or|xor)": ["i32", "u32", "i64", "u64"],
  // OpenCL C requires an int predicate.
  "work_group_(reduce|scan_\\w+?)_logical_\\w+": ["i32", "bool"],
  "work_group_a(ll|ny)": ["i32", "bool"],
  work_group_broadcast: ["i32", "u32", "i64", "u64", "f16", "f32", "f64"],
};

describe("the rows", () => {
  it("are the functions that the specification lists, and no others", () => {
    expect([...new Set(SPECIFICATION.map(({ name }) => name))].sort()).toEqual([...LISTED].sort());
    expect([...WORK_ITEM_FUNCTIONS].sort()).toEqual(Object.keys(QUERIES).sort());
  });

  it.each(Object.entries(TYPES))("of %s are of every type that it names", (pattern, types) => {
    const names = LISTED.filter((name) => new RegExp(`^${pattern}$`).test(name));
    expect(names).not.toEqual([]);
    for (const name of names) {
      const own = SPECIFICATION.filter((row) => row.name === name).map(({ type }) => type);
      expect(own, name).toEqual(expect.arrayContaining([...types]));
    }
  });

  it("have broadcasts by one, two and three coordinates", () => {
    const coordinates = SPECIFICATION.filter(({ name }) => name === "work_group_broadcast").map(
      (row) => row.coordinates,
    );
    expect(new Set(coordinates)).toEqual(new Set([1, 2, 3]));
  });
});

describe("each row has a test that runs it", () => {
  const names = new Set(checksOf("full").map(({ name }) => name));
  it.each(provenRows())("$name $type $coordinates", ({ provenBy }) => {
    expect(provenBy).not.toEqual([]);
    for (const name of provenBy) expect(names).toContain(name);
  });

  it("which is reported if a check is missing", () => {
    const without = checksOf("full").filter(({ name }) => !/broadcasts of every type by 3/.test(name));
    const open = provenRows(without).filter(({ provenBy }) => provenBy.length === 0);
    expect(open.map(({ name }) => name)).toContain("work_group_broadcast");
  });
});
