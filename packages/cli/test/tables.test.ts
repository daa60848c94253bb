/** One table for all inputs, and one of the outputs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyPipeline } from "@groupwise/core/schema";
import { bf16, bool, f16, f32, i8, i64, pipeline, table, u32 } from "@groupwise/dsl";
import { tableFromIPC } from "apache-arrow";
import { expect, test } from "vitest";
import { ended } from "./process.ts";
import { cli, folder, listed } from "./support.ts";

const SALES = pipeline("sales", { shop: u32, price: f32 }, ({ shop, price }) => ({
  so_far: price.scanInclusive("add", { keys: shop }),
  total: price.reduce("add"),
}));
/** As spreadsheets write it: a byte order mark, CRLF, quotes. */
const CSV =
  '\ufeff"","Unit price","shop","price","day"\r\n0,1,"7",0.1,"mon"\r\n1,2,"7","2","tue"\r\n2,3,8,3,"tue"\r\n';
const SO_FAR = [Math.fround(0.1), Math.fround(2 + Math.fround(0.1)), 3];

const data = (files: Readonly<Record<string, string>> = {}): string =>
  folder({ "sales.json": stringifyPipeline(SALES.ir), "sales.csv": CSV, ...files });
const run = (cwd: string, ...args: string[]) => cli(cwd, "run", "sales.json", ...args, "--json");

test("inputs take the columns of their names, save those that name another one", async () => {
  const cwd = data();
  const first = async (...args: string[]) => (await run(cwd, ...args)).json().outputs.so_far.first;
  expect(await first("-i", "sales.csv")).toEqual(SO_FAR);
  expect(await first("-i", "shop=sales.csv", "-i", "price=sales.csv:price")).toEqual(SO_FAR);
  expect(await first("-i", "sales.csv", "-i", "price=sales.csv:Unit price")).toEqual([1, 3, 3]);
  const { code, err } = await cli(cwd, "run", "sales.json", "-i", "sales.csv", "--stream", "2", "--out", "o");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(listed(join(cwd, "o"))).toContain("so_far.npy");
});

test.each([
  ["missing", "shop,cost\n7,1\n", "bad-usage", /did you mean|there are: shop, cost/],
  ["doubled", "shop,price,price\n7,1,2\n", "bad-usage", /there are: shop, price, price/],
  ["of another type", "shop,price\n7,cheap\n", "bad-file", /takes f32.*there are: shop, price/],
])("a column that is %s is refused with the columns of the file", async (_, csv, code, hint) => {
  const ran = await run(data({ "bad.csv": csv }), "-i", "bad.csv", "--out", "o.csv");
  expect(ran.code).toBe(2);
  expect(ran.json().error).toMatchObject({ code, hint: expect.stringMatching(hint) });
});

test("a table comes through a pipe, and goes into one", async () => {
  const args = ["run", "sales.json", "-i", "-:csv", "--out", "-:csv"];
  const { code, out, err } = await ended(data(), args, { input: CSV });
  expect({ code, out }).toEqual({ code: 0, out: `so_far\n${SO_FAR.join("\n")}\n` });
  expect(err).toContain("total: f32 × 1");
});

const TYPES = pipeline(
  "types",
  { a: i64, h: f16, w: bf16, yes: bool, x: f32, t: table(i8) },
  ({ a, h, w, yes, x, t }, { index }) => ({
    longs: a.sub(50n),
    halves: h,
    words: bf16(w),
    truths: yes,
    logs: x.log(),
    bytes: i8(t.at(index())),
    any: yes.any(),
  }),
);

test("generated inputs are those of their seed, and Arrow and CSV hold the same outputs", async () => {
  const cwd = folder({ "types.json": stringifyPipeline(TYPES.ir) });
  const run = (seed: string, out: string) =>
    cli(cwd, "run", "types.json", "--n", "2e2", "--seed", seed, "--out", out);
  expect((await run("1", "a.arrow")).out).toContain("a.arrow\nany: bool × 1  true\n");
  for (const [seed, out] of [
    ["1", "a.csv"],
    ["1", "b.csv"],
    ["2", "c.csv"],
  ] as const)
    await run(seed, out);
  const text = (name: string) => readFileSync(join(cwd, name), "utf8");
  expect(text("b.csv")).toBe(text("a.csv"));
  expect(text("c.csv")).not.toBe(text("a.csv"));
  const read = tableFromIPC(readFileSync(join(cwd, "a.arrow")));
  const fields = read.schema.fields.map(({ name, type }) => `${name} ${type}`).join();
  expect(fields).toBe("longs Int64,halves Float16,words Uint16,truths Bool,logs Float32,bytes Int8");
  const [head, ...rows] = text("a.csv").trimEnd().split("\n");
  expect(head).toBe("longs,halves,words,truths,logs,bytes");
  expect(rows.length).toBe(200);
  // Arrow has a bf16 as its bits.
  const words = [...read].map((row) =>
    [row.longs, row.halves, row.truths, row.logs, row.bytes].map((one) =>
      String(one).replace("-Infinity", "-inf"),
    ),
  );
  expect(words).toEqual(rows.map((row) => row.split(",").filter((_, i) => i !== 2)));
  // They come back without a change, beside generated ones of as many items.
  const back = await cli(cwd, "run", "types.json", "-i", "h=a.csv:halves", "--seed", "1", "--json");
  expect(back.json().outputs.halves.first).toEqual(rows.slice(0, 8).map((row) => Number(row.split(",")[1])));
});

test("a table has one length, and replaces no input", async () => {
  const uneven = pipeline("uneven", { x: f32 }, ({ x }) => ({
    sums: x.scanInclusive("add"),
    parts: x.reduce("add", { scope: "work-group" }),
  }));
  const cwd = folder({ "uneven.json": stringifyPipeline(uneven.ir), "x.csv": "x\n1\n2\n" });
  const before = listed(cwd);
  for (const out of ["o.csv", "./x.csv"]) {
    const ran = await cli(cwd, "run", "uneven.json", "-i", "x.csv", "--out", out, "--json");
    expect(ran.json().error.code).toBe("bad-usage");
  }
  expect(listed(cwd)).toEqual(before);
});
