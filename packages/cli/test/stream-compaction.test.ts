/** Streams whose outputs have a number of elements of their own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringifyPipeline } from "@groupwise/core/schema";
import { emptyState, type State } from "@groupwise/core/state";
import { pipeline, u8 } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { Appended } from "../src/streams/appended.ts";
import { cli, expectChunks, folder } from "./support.ts";

const { ir } = pipeline("lines", { text: u8 }, ({ text }, { index }) => {
  const where = text.eq(10);
  const lines = where.toU32().reduce("add");
  const line = where.toU32().scanExclusive("add");
  return { ends: index().scatter({ to: line, where, length: lines }), lines };
});

test("the line index of a text in chunks is the file of one run, and its elements are those of a loop", async () => {
  const text = Uint8Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 97 < 3 ? 10 : 65));
  const at = folder({ "lines.json": stringifyPipeline(ir), "text.raw": text });
  const run = ["run", "lines.json", "-i", "text=text.raw:u8"];
  await expectChunks({ at, run }, [7, 999, 5000, 6000]);
  const want = [...text.keys()].filter((i) => text[i] === 10);
  const whole = readFileSync(join(at, "whole", "ends.npy"));
  expect([...new Uint32Array(Uint8Array.from(whole.subarray(128)).buffer)]).toEqual(want);
});

test("a text without lines has an index without elements", async () => {
  const at = folder({ "lines.json": stringifyPipeline(ir), "text.raw": Uint8Array.of(65, 66, 67) });
  await cli(at, "run", "lines.json", "-i", "text=text.raw:u8", "--out", "o", "--stream", "2");
  const bytes = readFileSync(join(at, "o", "ends.npy"));
  expect([bytes.length, bytes.toString("latin1").includes("(0,)")]).toEqual([128, true]);
});

test("more than 2^32 elements are counted from the size of the file, which may have later ones", () => {
  const state: State = { ...emptyState("lines", [{ op: "add", type: "u32" }]), to: 2n ** 34n };
  const at = (total: number, room: number): number | undefined => {
    const appended = new Appended(new Map([["ends", 0]]));
    const scans = state.scans.map((scan) => ({ ...scan, total: [total] })) as State["scans"];
    const found = appended.restore("ends", { ...state, scans }, room);
    expect(appended.countOf("ends")).toBe(found ?? 0);
    return found;
  };
  expect(at(7, 7)).toBe(7);
  expect(at(7, 2 ** 32 + 6)).toBe(7);
  expect(at(7, 2 ** 32 + 7)).toBe(2 ** 32 + 7);
  expect(at(2 ** 32 - 1, 3 * 2 ** 32)).toBe(3 * 2 ** 32 - 1);
  expect(at(7, 6)).toBe(undefined);
});
