/** Archives and compressed files; files of other formats, which are no elements. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { stringifyPipeline } from "@groupwise/core/schema";
import { f32, pipeline } from "@groupwise/dsl";
import { describe, expect, test } from "vitest";
import { readInput } from "../src/values/input.ts";
import { readNpy, writeNpy } from "../src/values/npy.ts";
import { cli, folder, readCsv, say } from "./support.ts";

/** numpy.savez of a: 0, 1, 2 in float32 and n: 7 in int32, without a dimension (NumPy 2.4). */
const NPZ =
  "UEsDBC0AAAAAAAAAIQC2jIZT//////////8FABQAYS5ucHkBABAAjAAAAAAAAACMAAAAAAAAAJNOVU1QWQEAdgB7J2Rlc2NyJzog" +
  "JzxmNCcsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgzLCksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAg" +
  "ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAKAAAAAAAAgD8AAABAUEsDBC0AAAAAAAAAIQAMLbG0//////////8FABQA" +
  "bi5ucHkBABAAhAAAAAAAAACEAAAAAAAAAJNOVU1QWQEAdgB7J2Rlc2NyJzogJzxpNCcsICdmb3J0cmFuX29yZGVyJzogRmFsc2Us" +
  "ICdzaGFwZSc6ICgpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg" +
  "ICAKBwAAAFBLAQItAy0AAAAAAAAAIQC2jIZTjAAAAIwAAAAFAAAAAAAAAAAAAACAAQAAAABhLm5weVBLAQItAy0AAAAAAAAAIQAM" +
  "LbG0hAAAAIQAAAAFAAAAAAAAAAAAAACAAcMAAABuLm5weVBLBQYAAAAAAgACAGYAAAB+AQAAAAA=";

const VALUES = Float32Array.from({ length: 300 }, (_, i) => i / 8);

/** A zip archive of one file, compressed, as numpy.savez_compressed writes it. */
function archiveOf(name: string, data: Uint8Array): Buffer {
  const deflated = deflateRawSync(data);
  const head = Buffer.alloc(26);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(8, 4);
  head.writeUInt32LE(crcOf(data), 10);
  head.writeUInt32LE(deflated.length, 14);
  head.writeUInt32LE(data.length, 18);
  head.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), head, Buffer.from(name), deflated]);
  const place = [Buffer.of(20, 0), head, Buffer.alloc(14), Buffer.from(name)];
  const central = Buffer.concat([Buffer.from("PK\x01\x02"), ...place]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
/** The checksum of gzip is that of zip. */
const crcOf = (data: Uint8Array): number => gzipSync(data).readUInt32LE(gzipSync(data).length - 8);

const data = (): string =>
  folder({
    "two.npz": Buffer.from(NPZ, "base64"),
    "one.npz": archiveOf("x.npy", writeNpy("f32", VALUES)),
    "x.npy.gz": gzipSync(writeNpy("f32", VALUES)),
    "x.bin.gz": gzipSync(new Uint8Array(VALUES.buffer)),
    "x.csv.gz": gzipSync(`x\n${[...VALUES].join("\n")}\n`),
  });

test("an array of an archive is read by its name, or as the only one", async () => {
  const cwd = data();
  expect(await readInput("two.npz:a", "f32", { cwd })).toEqual(Float32Array.of(0, 1, 2));
  expect(await readInput("two.npz:n", "i32", { cwd })).toEqual(Int32Array.of(7));
  expect(await readInput("one.npz", "f32", { cwd })).toEqual(VALUES);
  for (const spec of ["two.npz", "two.npz:b", "two.npz:f32"])
    await expect(readInput(spec, "f32", { cwd })).rejects.toMatchObject({
      code: "bad-usage",
      hint: expect.stringMatching(/there are: a, n/),
    });
  await expect(readInput("no.npz", "f32", { cwd })).rejects.toMatchObject({ code: "missing-file" });
});

test("a damaged archive is refused", async () => {
  const cwd = data();
  const whole = archiveOf("x.npy", writeNpy("f32", VALUES));
  const stored = Buffer.from(NPZ, "base64");
  const at = stored.indexOf(Buffer.from("NUMPY")) + 130;
  stored[at] = (stored[at] as number) ^ 1; // within the elements of a
  for (const [i, bytes] of [whole.subarray(0, 60), Buffer.alloc(100), stored].entries()) {
    writeFileSync(join(cwd, `${i}.npz`), bytes);
    await expect(readInput(`${i}.npz:a`, "f32", { cwd })).rejects.toMatchObject({ code: "bad-file" });
  }
});

test("compressed files are those that they hold, and damaged ones are refused", async () => {
  const cwd = data();
  expect(await readInput("x.npy.gz", "f32", { cwd })).toEqual(VALUES);
  expect(await readInput("x.bin.gz:f32", "f32", { cwd })).toEqual(VALUES);
  expect(await readCsv("x.csv.gz", cwd, "f32", "x")).toEqual(VALUES);
  writeFileSync(join(cwd, "cut.csv.gz"), gzipSync("x\n1\n2\n").subarray(0, -6));
  writeFileSync(join(cwd, "plain.csv.gz"), "x\n1\n");
  writeFileSync(join(cwd, "plain.npy.gz"), writeNpy("f32", VALUES));
  for (const path of ["cut.csv.gz", "plain.csv.gz"])
    await expect(readCsv(path, cwd, "f32", "x")).rejects.toMatchObject({ code: "bad-file" });
  await expect(readInput("plain.npy.gz", "f32", { cwd })).rejects.toMatchObject({ code: "bad-file" });
  await expect(readCsv("none.csv.gz", cwd, "f32", "x")).rejects.toMatchObject({ code: "missing-file" });
});

test.each(["x.npy.gz", "x.bin.gz:f32", "x.csv.gz:x", "one.npz", "pair.npy:y"])(
  "%s is read in chunks with the same results",
  async (spec) => {
    const { ir } = pipeline("sums", { x: f32 }, ({ x }) => ({ sums: x.scanInclusive("add") }));
    const cwd = data();
    writeFileSync(join(cwd, "sums.json"), stringifyPipeline(ir));
    const head = "{'descr': [('k', '|i1'), ('y', '<f4')], 'fortran_order': False, 'shape': (300,), }\n";
    const items = [...VALUES].flatMap((x) => [0, ...new Uint8Array(Float32Array.of(x).buffer)]);
    const magic = Buffer.from("\x93NUMPY\x01\x00", "latin1");
    const parts = [magic, Buffer.of(head.length, 0), Buffer.from(head), Buffer.from(items)];
    writeFileSync(join(cwd, "pair.npy"), Buffer.concat(parts));
    const ran = await say(cwd, `run sums.json -i x=${spec} --stream 128 --out o --json`);
    expect(ran.json()).toMatchObject({ ok: true, items: 300 });
    const sums = readNpy(new Uint8Array(readFileSync(join(cwd, "o", "sums.npy"))), "f32", "sums");
    let sum = 0;
    expect([...sums]).toEqual([...VALUES].map((x) => (sum += x)));
  },
);

describe("a file of another format", () => {
  test("is no raw elements, unless --raw says so", async () => {
    const names = ["x.parquet", "x.json", "x.zip", "x.npy", "x.csv"];
    const cwd = folder(Object.fromEntries(names.map((name) => [name, new Uint8Array(8)])));
    for (const spec of ["x.parquet", "x.parquet:f32", "x.json:f32", "x.zip:f32", "x.npy:f32"]) {
      const refused = await readInput(spec, "f32", { cwd }).catch((error) => error);
      expect(refused.code).toMatch(/^bad-/);
      // What a hint says to do does not read the bytes of another format.
      expect(refused.hint).not.toMatch(/:f32/);
    }
    const { ir } = pipeline("most", { x: f32 }, ({ x }) => ({ most: x.reduce("max") }));
    writeFileSync(join(cwd, "most.json"), stringifyPipeline(ir));
    for (const name of ["x.parquet", "x.npy", "x.csv"]) {
      const ran = await cli(cwd, "run", "most.json", "-i", `x=${name}:f32`, "--raw", "--json");
      expect(ran.json().outputs.most.first).toEqual([0]);
    }
  });
});
