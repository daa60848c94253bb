/** Columns of Arrow files and streams, beside columns of every other layout. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ArrayType } from "@groupwise/core";
import { stringifyPipeline } from "@groupwise/core/schema";
import { bool, f64, i64, pipeline } from "@groupwise/dsl";
import * as arrow from "apache-arrow";
import { describe, expect, test } from "vitest";
import { readArrowColumns } from "../src/values/arrow-file.ts";
import { readNpy } from "../src/values/npy.ts";
import { cli, folder } from "./support.ts";

const N = 100;
const items = <T>(of: (i: number) => T): T[] => Array.from({ length: N }, (_, i) => of(i));
const isNull = (i: number): boolean => i % 7 === 3;

/** Columns of other layouts, and a column of numbers after each. */
const OTHERS: Readonly<Record<string, arrow.DataType>> = {
  texts: new arrow.Utf8(),
  views: new arrow.Utf8View(),
  large: new arrow.LargeUtf8(),
  words: new arrow.Dictionary(new arrow.Utf8(), new arrow.Int16()),
  none: new arrow.Null(),
  list: new arrow.List(new arrow.Field("item", new arrow.Int8())),
  pairs: new arrow.FixedSizeList(2, new arrow.Field("item", new arrow.Float32())),
  record: new arrow.Struct([new arrow.Field("a", new arrow.Utf8()), new arrow.Field("b", new arrow.Bool())]),
  days: new arrow.DateDay(),
};
const SAMPLES: Readonly<Record<string, (i: number) => unknown>> = {
  none: () => null,
  list: (i) => [i % 3, 1],
  pairs: (i) => [i, 1],
  record: (i) => ({ a: `a${i}`, b: i % 2 === 0 }),
  days: (i) => new Date(i * 864e5),
};

function tableOf(): arrow.Table {
  const columns: Record<string, arrow.Vector> = {
    yes: arrow.vectorFromArray(
      items((i) => (isNull(i) ? null : i % 3 === 0)),
      new arrow.Bool(),
    ),
  };
  for (const [name, type] of Object.entries(OTHERS)) {
    const values = items((i) =>
      i % 5 === 0 ? null : (SAMPLES[name]?.(i) ?? `${name} of more than twelve bytes ${i % 4}`),
    );
    columns[name] = arrow.vectorFromArray(values, type);
    columns[`after_${name}`] = arrow.vectorFromArray(
      items((i) => BigInt(i * i)),
      new arrow.Int64(),
    );
  }
  columns.x = arrow.vectorFromArray(
    items((i) => (isNull(i) ? null : i / 8)),
    new arrow.Float64(),
  );
  const whole = new arrow.Table(columns);
  // Batches of several lengths, one of them empty.
  return new arrow.Table(
    [0, 0, 41, 64, N].flatMap((to, k, all) => (k === 0 ? [] : whole.slice(all[k - 1], to).batches)),
  );
}
const TABLE = tableOf();
const data = () =>
  folder({
    "file.arrow": arrow.tableToIPC(TABLE, "file"),
    "stream.arrows": arrow.tableToIPC(TABLE, "stream"),
  });

describe.each(["file.arrow", "stream.arrows"])("%s", (path) => {
  const read = async (column: string, type: ArrayType, absent?: string) => {
    const [values] = await readArrowColumns(path, { cwd: data(), null: absent }, [
      { name: "in", type, column },
    ]);
    return [...(values as Float64Array)];
  };

  test("has the values of a column, whatever the columns before it", async () => {
    for (const name of Object.keys(OTHERS))
      expect(await read(`after_${name}`, "i64")).toEqual(items((i) => BigInt(i * i)));
    expect(await read("x", "f64", "-1")).toEqual(items((i) => (isNull(i) ? -1 : i / 8)));
    expect(await read("yes", "bool", "true")).toEqual(items((i) => Number(isNull(i) || i % 3 === 0)));
  });

  test("a null is refused with its row, and other types by name", async () => {
    await expect(read("x", "f64")).rejects.toMatchObject({
      code: "bad-file",
      what: expect.stringContaining('row 3, column "x"'),
    });
    await expect(read("days", "i32")).rejects.toMatchObject({
      code: "bad-file",
      what: expect.stringContaining("Date32"),
    });
    await expect(read("after_days", "u64")).rejects.toMatchObject({
      code: "bad-file",
      what: expect.stringContaining("Int64"),
    });
    await expect(read("y", "f64")).rejects.toMatchObject({
      code: "bad-usage",
      hint: expect.stringContaining("x"),
    });
  });

  test("runs whole and in chunks of any length with the same results", async () => {
    const { ir } = pipeline("p", { x: f64, yes: bool, k: i64 }, ({ x, yes, k }) => ({
      sums: x.scanInclusive("add"),
      count: yes.toU32().scanInclusive("add"),
      last: k.scanInclusive("max"),
    }));
    const cwd = data();
    writeFileSync(join(cwd, "p.json"), stringifyPipeline(ir));
    const inputs = ["-i", path, "-i", `k=${path}:after_views`, "--null", "0", "--json"];
    for (const [i, more] of [[], ["--stream", "7"], ["--stream", "64"]].entries()) {
      const ran = await cli(cwd, "run", "p.json", ...inputs, "--out", `o${i}`, ...more);
      expect(ran.json()).toMatchObject({ ok: true });
      const sums = readNpy(new Uint8Array(readFileSync(join(cwd, `o${i}`, "sums.npy"))), "f64", "sums");
      let sum = 0;
      expect([...sums]).toEqual(items((i) => (sum += isNull(i) ? 0 : i / 8)));
    }
  });
});

test("a damaged or compressed file is refused", async () => {
  const file = arrow.tableToIPC(TABLE, "file");
  const damaged = Uint8Array.from(file);
  damaged.fill(0xaa, 16, 40);
  const cwd = folder({
    "cut.arrow": file.subarray(0, 3000),
    "bad.arrow": damaged,
    "text.arrow": "x\n1\n2\n3\n4\n",
    "empty.arrow": "",
  });
  const read = (path: string) =>
    readArrowColumns(path, { cwd }, [{ name: "x", type: "f64", column: undefined }]);
  for (const path of ["cut.arrow", "bad.arrow", "text.arrow", "empty.arrow"])
    await expect(read(path)).rejects.toMatchObject({ code: "bad-file" });
  await expect(read("no.arrow")).rejects.toMatchObject({ code: "missing-file" });
  await expect(read(".")).rejects.toMatchObject({ code: "missing-file" });
});
