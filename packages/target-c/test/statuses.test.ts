/** What the checked function refuses, and where: the statuses of headers, from a program in C. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PipelineSource } from "@groupwise/core";
import { f32, i64, param, pipeline, table, u32 } from "@groupwise/dsl";
import { deviceTest } from "@groupwise/testkit/conformance";
import { runProcess } from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { STATUSES } from "../src/print/names.ts";
import { compiled, findProgram, STRICT, written } from "./support.ts";

const gcc = (): ReturnType<typeof findProgram> => findProgram("gcc");

/** Allocations that fail when so many are made. */
const LIMITED = `#include <stdlib.h>
static int left;
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) { return left-- > 0 ? __real_calloc(count, size) : NULL; }
`;

/** The statuses that calls return, under sanitizers. */
async function statuses(
  source: PipelineSource,
  before: string,
  calls: readonly string[],
  top: string = "",
): Promise<string[]> {
  const { folder, base } = written(source);
  const prints = calls.map((call) => `  printf("%d\\n", ${call});\n`).join("");
  const text = `#include "${base}.h"\n#include <stdio.h>\n${top}int main(void) {\n${before}\n${prints}  return 0;\n}\n`;
  writeFileSync(join(folder, "calls.c"), text);
  const sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
  const wrapped = top === "" ? [] : ["-Wl,--wrap=calloc"];
  const args = [...STRICT, ...sanitizers, ...wrapped, "calls.c", `${base}.c`, "-o", "calls"];
  expect(await compiled("gcc", args, folder)).toBe("");
  const { stdout, stderr } = await runProcess(join(folder, "calls"), [], { cwd: folder });
  expect(stderr).toBe("");
  return stdout
    .trim()
    .split("\n")
    .map((code) => STATUSES[Number(code)]?.[0] ?? code);
}

deviceTest("ranges, offsets and items", gcc, async () => {
  const rows = pipeline(
    "rows",
    { x: f32 },
    ({ x }, { globalId }) => ({ y: x, at: globalId(0), first: x.broadcast([0, 0], { scope: "device" }) }),
    { workGroupSize: [4, 2] },
  );
  const call = (x: string, y: string, offset: string): string =>
    `gw_rows(${x}, ${y}, ${offset}, some, some_y, at, &first)`;
  expect(
    await statuses(rows, "  float some[6] = {7}, some_y[6], first = 0;\n  uint32_t at[6];", [
      call("3", "2", "0"),
      call("4026531841u", "1", "0"),
      call("65536", "65536", "0"),
      // The product of the sides is 0 in 64 bits.
      call("4294967296", "4294967296", "0"),
      call("0", "2", "0"),
      call("3", "2", "4294967293u"),
      call("3", "2", "4294967294u"),
    ]),
  ).toEqual([
    ...["GW_OK", "GW_TOO_MANY_ITEMS", "GW_TOO_MANY_ITEMS", "GW_TOO_MANY_ITEMS"],
    ...["GW_NO_ITEM", "GW_OK", "GW_BAD_OFFSET"],
  ]);
});

deviceTest("capacities, tables and scatters", gcc, async () => {
  const bins = pipeline(
    "bins",
    { x: u32, rows: param(u32), columns: param(u32), less: param(u32), t: table(u32) },
    ({ x, rows, columns, less, t }) => ({
      // A value with an operator that binds less than the one that combines it.
      counts: x
        .lt(9)
        .toU32()
        .scatter({ to: x.add(t.at(0)), capacity: rows.mul(columns).sub(less), combine: "add" }),
    }),
  );
  const call = (rows: string, columns: string, less: string, length: string): string =>
    `gw_bins(3, ${rows}u, ${columns}u, ${less}u, x, t, ${length}, counts)`;
  const before = "  uint32_t x[3] = {0, 5, 5}, t[1] = {0}, counts[6];";
  expect(
    await statuses(bins, before, [
      call("2", "3", "0", "1"),
      "(int)(counts[0] * 10 + counts[5] + 100)",
      // A table without elements gives 0, and is not read.
      "gw_bins(3, 2, 3, 0, x, NULL, 0, counts)",
      call("2", "3", "1", "1"),
      call("2", "3", "7", "1"),
      call("65536", "65536", "0", "1"),
      // Kernels compute in 32 bits, where the product is 0.
      call("65536", "65536", "4294967295", "1"),
      call("4294967295", "4294967295", "0", "1"),
      call("2", "3", "0", "4026531841u"),
    ]),
  ).toEqual([
    ...["GW_OK", "112", "GW_OK", "GW_OUTSIDE", ...Array(4).fill("GW_BAD_CAPACITY"), "GW_TABLE_TOO_LONG"],
  ]);
});

deviceTest("parameters that divide the number of items", gcc, async () => {
  const rows = pipeline("rows", { x: u32, width: param(u32, { divides: true }) }, ({ x, width }) => ({
    y: x.rem(width),
  }));
  const call = (width: number): string => `gw_rows(6, ${width}, x, y) == GW_BAD_DIVISOR`;
  expect(await statuses(rows, "  uint32_t x[6] = {0}, y[6];", [0, 1, 3, 4, 6, 12].map(call))).toEqual(
    [true, false, false, true, false, true].map((isBad) => STATUSES[Number(isBad)]?.[0]),
  );
});

deviceTest("memory that is lacking: nothing leaks", gcc, async () => {
  // Later passes read what the first ones left in scratch memory.
  const far = pipeline("far", { x: i64 }, ({ x }, { index }) => ({
    y: x.scanInclusive("add").at(index()).add(x.scanInclusive("max").at(index())),
  }));
  const scratch = written(far).manifest.bindings.filter(({ role }) => role === "scratch");
  expect(scratch.length).toBe(2);
  const before = "  int64_t x[1] = {3}, y[1] = {0};";
  const limit = (allocations: number): string => `(left = ${allocations}, gw_far(1, x, y))`;
  const calls = [limit(2), "(int)y[0] + 100", limit(1), limit(0)];
  expect(await statuses(far, before, calls, LIMITED)).toEqual([
    "GW_OK",
    "106",
    "GW_NO_MEMORY",
    "GW_NO_MEMORY",
  ]);
});
