/** Sources of `run --stream` besides files of elements: columns of .csv files, and pipes. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringifyPipeline } from "@groupwise/core/schema";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { describe, expect, test } from "vitest";
import { openSources } from "../src/streams/sources/open.ts";
import type { Source } from "../src/streams/sources/source.ts";
import { readNpy, writeNpy } from "../src/values/npy.ts";
import { ended } from "./process.ts";
import { cli, folder, listed } from "./support.ts";

const { ir } = pipeline("table", { price: f32, amount: u32 }, ({ price, amount }) => ({
  sums: amount.scanInclusive("add"),
  highest: price.scanExclusive("max"),
  total: amount.reduce("add"),
}));
const N = 1537;
const PRICE = Float32Array.from({ length: N }, (_, i) => Math.fround(Math.cos(i * i) * 50));
const AMOUNT = Uint32Array.from({ length: N }, (_, i) => (i * 2654435761) >>> 0);

/** A table with a column of texts, whose commas and line breaks are quoted. @param bad the record whose amount is no number */
const csv = (bad = -1, length = N): string => {
  const rows = Array.from(
    { length },
    (_, i) => `${i === bad ? "much" : AMOUNT[i]},"a, ""${i}""\n",${PRICE[i]}`,
  );
  return `\uFEFFamount,what,price\n${rows.join("\n")}\n`;
};
const data = (text = csv()): string =>
  folder({
    "table.json": stringifyPipeline(ir),
    "t.csv": text,
    "price.npy": writeNpy("f32", PRICE),
    "amount.raw": new Uint8Array(AMOUNT.buffer),
  });

/** By plain loops. */
function expected(): { sums: number[]; highest: number[]; total: number } {
  let [sum, high] = [0, Number.NEGATIVE_INFINITY];
  const [sums, highest] = [[] as number[], [] as number[]];
  for (let i = 0; i < N; i++) {
    sum = (sum + (AMOUNT[i] as number)) >>> 0;
    sums.push(sum);
    highest.push(high);
    high = Math.max(high, PRICE[i] as number);
  }
  return { sums, highest, total: sum };
}
const arrayIn = (at: string, name: "sums" | "highest"): number[] => {
  const file = new Uint8Array(readFileSync(join(at, `${name}.npy`)));
  return [...readNpy(file, name === "sums" ? "u32" : "f32", name)] as number[];
};
const FILES = ["highest.npy", "sums.npy", "total.npy"];
function isRight(at: string): void {
  const { sums, highest } = expected();
  expect(listed(at)).toEqual(FILES);
  expect(arrayIn(at, "sums")).toEqual(sums);
  expect(arrayIn(at, "highest")).toEqual(highest);
}

const COLUMNS = ["-i", "price=t.csv:price", "-i", "amount=t.csv:amount"];
const stream = (
  at: string,
  inputs: readonly string[],
  size: number,
  ...more: string[]
): ReturnType<typeof cli> =>
  cli(at, "run", "table.json", ...inputs, "--out", "o", "--stream", String(size), "--json", ...more);

test("columns of a table have the results of plain loops, in chunks of any length", async () => {
  for (const size of [1, 100, 512, N, 4000]) {
    const at = data();
    const ran = await stream(at, COLUMNS, size);
    expect(ran.json()).toMatchObject({ ok: true, items: N, chunk: size });
    expect(ran.json().outputs.total.first).toEqual([expected().total]);
    isRight(join(at, "o"));
  }
});

test("a column and files of elements are read together; unequal lengths are refused at the end of the shorter one", async () => {
  const other = ["-i", "price=price.npy", "-i", "amount=t.csv:0"];
  const at = data(csv().split("\n").slice(1).join("\n"));
  expect((await stream(at, other, 100)).json()).toMatchObject({ ok: true, items: N });
  isRight(join(at, "o"));
  for (const [length, lengths] of [
    [N - 3, `price ${N}, amount ${N - 3}`],
    [N + 100, `price ${N}, amount at least 1600`],
  ] as const) {
    const wrong = data(csv(-1, length).split("\n").slice(1).join("\n").replaceAll("undefined", "1"));
    const { error } = (await stream(wrong, other, 100)).json();
    expect(error.code).toBe("length-mismatch");
    expect(error.what).toContain(lengths);
    expect(listed(join(wrong, "o")).filter((name) => !name.startsWith("."))).toEqual([]);
  }
});

test("a table with an error in the middle resumes after the last chunk before it", async () => {
  const at = data(csv(1234));
  const { error } = (await stream(at, COLUMNS, 100)).json();
  expect(error).toMatchObject({ code: "bad-file", what: expect.stringContaining("record 1236") });
  expect(listed(join(at, "o")).every((name) => name.startsWith("."))).toBe(true);
  writeFileSync(join(at, "t.csv"), csv());
  expect((await stream(at, COLUMNS, 100, "--resume")).json()).toMatchObject({ ok: true, from: 1200 });
  isRight(join(at, "o"));
});

test("a table that ends before the state is refused", async () => {
  const at = data(csv(1234));
  await stream(at, COLUMNS, 100);
  for (const length of [0, 1199]) {
    writeFileSync(join(at, "t.csv"), csv(-1, length));
    const { error } = (await stream(at, COLUMNS, 100, "--resume")).json();
    expect(error).toMatchObject({
      code: "bad-file",
      what: expect.stringContaining(`it has ${length} items`),
    });
  }
  writeFileSync(join(at, "t.csv"), csv(-1, 1200));
  expect((await stream(at, COLUMNS, 100, "--resume")).json()).toMatchObject({
    ok: true,
    from: 1200,
    items: 1200,
  });
});

test.each([
  ["no such column", ["-i", "price=t.csv:prize", "-i", "amount=t.csv:amount"], "bad-usage"],
  ["no such table", ["-i", "price=no.csv:price", "-i", "amount=t.csv:amount"], "missing-file"],
  ["a text of a table", ["-i", "price=t.csv:text", "-i", "amount=t.csv:amount"], "bad-usage"],
  ["headings as values", ["-i", "price=t.csv:2", "-i", "amount=t.csv:amount"], "bad-file"],
  ["an input that is passed twice", [...COLUMNS, "-i", "price=price.npy"], "bad-usage"],
  ["a folder", ["-i", `price=${tmpdir()}:f32`, "-i", "amount=t.csv:amount"], "missing-file"],
])("refuses %s before it writes", async (_, inputs, code) => {
  const at = data();
  expect((await stream(at, inputs, 100)).json().error.code).toBe(code);
  expect(listed(at)).not.toContain("o");
});

test("the arrays of a chunk stay while the next ones are read", async () => {
  const at = data();
  const inputs = ["price.npy", "amount.raw:u32", "t.csv:price"];
  for (const [i, spec] of inputs.entries()) {
    const type = i === 1 ? "u32" : "f32";
    const [source] = await openSources([{ name: "x", type, spec }], { cwd: at });
    const want = i === 1 ? AMOUNT : PRICE;
    // A file can be read again.
    for (const from of [0, 100]) {
      const reading = (source as Source).read(from);
      const { x: first } = await reading.next(10);
      const { x: second } = await reading.next(10);
      expect([...(first as Float32Array)]).toEqual([...want.subarray(from, from + 10)]);
      expect([...(second as Float32Array)]).toEqual([...want.subarray(from + 10, from + 20)]);
      await reading.close();
    }
    await source?.close();
  }
});

test("a part of a file has nothing behind its end, whatever the lengths of its chunks", async () => {
  const at = data();
  const [source] = (await openSources([{ name: "amount", type: "u32", spec: "amount.raw:u32" }], {
    cwd: at,
  })) as [Source];
  const reading = source.read(1000, 1100);
  const got: number[] = [];
  for (const count of [7, 64, 1, 100, 5]) got.push(...((await reading.next(count)).amount as Uint32Array));
  await reading.close();
  await source.close();
  expect(got).toEqual([...AMOUNT.subarray(1000, 1100)]);
});

test("stdin is a source", async () => {
  const at = data();
  const inputs = ["-i", "amount=amount.raw:u32", "-i", "price=-:npy"];
  const argv = ["run", "table.json", ...inputs, "--out", "o", "--stream", "100", "--json"];
  const run = await ended(at, argv, { input: writeNpy("f32", PRICE) });
  expect(run.err).toBe("");
  expect(JSON.parse(run.out)).toMatchObject({ ok: true, items: N });
  isRight(join(at, "o"));
});

/** Streams prices that come through a pipe with a name, in this process. */
async function piped(at: string, name: string, input: Uint8Array, ...more: string[]): ReturnType<typeof cli> {
  const file = join(at, "through");
  writeFileSync(file, input);
  if (!existsSync(join(at, name))) execFileSync("mkfifo", [join(at, name)]);
  // The writer waits for the reader, so it has a process of its own.
  const writer = execFile("cp", [file, join(at, name)], () => {});
  const spec = name.endsWith(".npy") ? name : `${name}:f32`;
  const ran = await stream(at, ["-i", "amount=amount.raw:u32", "-i", `price=${spec}`], 100, ...more);
  writer.kill(); // it waits for ever if nothing was read
  return ran;
}

describe.skipIf(process.platform === "win32")("named pipes", () => {
  test("are sources, and not taken for empty files: raw elements, whose end shows their number, and .npy", async () => {
    for (const [name, input] of [
      ["fifo", new Uint8Array(PRICE.buffer)],
      ["fifo.npy", writeNpy("f32", PRICE)],
    ] as const) {
      const at = data();
      expect((await piped(at, name, input)).json()).toMatchObject({ ok: true, items: N });
      isRight(join(at, "o"));
    }
  });

  test("resume from their beginning, and incomplete ones are refused", async () => {
    const at = data();
    const input = new Uint8Array(PRICE.buffer);
    const failed = (await piped(at, "fifo", input.subarray(0, 4 * 1030 + 3))).json();
    expect(failed.error).toMatchObject({ code: "bad-file", what: expect.stringContaining("4123 bytes") });
    const less = (await piped(at, "fifo", input.subarray(0, 3600), "--resume")).json();
    expect(less.error).toMatchObject({ code: "bad-file", what: expect.stringContaining("900 items") });
    const ran = (await piped(at, "fifo", input, "--resume")).json();
    expect(ran).toMatchObject({ ok: true, from: 1000, items: N });
    isRight(join(at, "o"));
    const { error } = (await piped(data(), "fifo.npy", writeNpy("f32", PRICE).subarray(0, 3000))).json();
    expect(error).toMatchObject({ code: "bad-file", what: expect.stringContaining("states 1537") });
  });
});
