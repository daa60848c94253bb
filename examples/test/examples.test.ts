/** Every example on its data. Its result is compared with a computation that shares no code with it. */

import { readFileSync } from "node:fs";
import { expect } from "vitest";
import * as argmax from "../argmax.ts";
import * as arrowSums from "../arrow-sums.ts";
import * as csvIndex from "../csv-index.ts";
import * as smoothing from "../exponential-smoothing.ts";
import * as longText from "../long-text.ts";
import * as radixSort from "../radix-sort.ts";
import * as running from "../running-deviation.ts";
import * as softmax from "../softmax.ts";
import * as compaction from "../stream-compaction.ts";
import * as uneven from "../uneven-smoothing.ts";
import * as welford from "../welford-by-key.ts";
import { columnOf, example, rowsOf, sourceOf } from "./support.ts";

const floats = (texts: readonly string[]): number[] => texts.map((text) => Math.fround(Number(text)));

example("csv-index finds the fields that a parser finds", csvIndex, (index, printed) => {
  const rows = rowsOf(readFileSync(sourceOf(csvIndex).path));
  expect(index.rows.length).toBe(rows.length);
  const found = rows.map((_, row) =>
    Array.from({ length: csvIndex.width(index, row) }, (_, column) => csvIndex.fieldAt(index, row, column)),
  );
  expect(found).toEqual(rows);
  expect(rows.flat().filter((field) => field.includes(",")).length).toBeGreaterThan(300);
  expect(printed.join("\n")).toContain("390 rows, 8580 fields, 22 in a row");
});

example("long-text finds the lines that splitting finds", longText, ({ starts, longest }, printed) => {
  const bytes = readFileSync(sourceOf(longText).path);
  const lines = bytes.toString("latin1").split("\n");
  if (lines.at(-1) === "") lines.pop();
  const want = lines.map((_, i) => lines.slice(0, i).reduce((sum, { length }) => sum + length + 1, 0));
  expect([...starts]).toEqual(want);
  const lengths = lines.map(({ length }) => length);
  expect(longest).toBe(lengths.indexOf(Math.max(...lengths)));
  expect(printed[0]).toBe(`${bytes.length} bytes, ${lines.length} lines`);
});

example("exponential-smoothing gives what a loop gives, up to rounding", smoothing, (smoothed) => {
  const x = floats(columnOf(smoothing));
  expect(smoothed.length).toBe(x.length);
  let y = x[0] ?? 0;
  for (const [i, value] of x.entries()) {
    if (i > 0) y += (value - y) / 16;
    expect(Math.abs((smoothed[i] ?? Number.NaN) - y)).toBeLessThan(1e-6 * Math.max(...x));
  }
});

example("argmax finds the first of the greatest and of the least", argmax, ({ greatest, least }, printed) => {
  const x = floats(columnOf(argmax));
  const [max, min] = [Math.max(...x), Math.min(...x)];
  expect(greatest).toEqual({ value: max, row: x.indexOf(max) });
  expect(least).toEqual({ value: min, row: x.indexOf(min) });
  expect(printed[1]).toContain(columnOf(argmax, "place")[greatest.row]);
});

example("stream-compaction keeps what a filter keeps", compaction, ({ kept, rows }, printed) => {
  const x = floats(columnOf(compaction));
  const stays = [...x.keys()].filter((row) => (x[row] ?? 0) > 25.4);
  expect(stays.length).toBeGreaterThan(10);
  expect([...rows]).toEqual(stays);
  expect([...kept]).toEqual(stays.map((row) => x[row]));
  expect(printed.length).toBe(1 + stays.length);
});

example("welford-by-key gives each month's mean and variance", welford, (groups) => {
  const x = floats(columnOf(welford));
  const months = columnOf(welford, "date").map((date) => date.slice(0, 7));
  expect(groups.map(({ name }) => name)).toEqual([...new Set(months)]);
  for (const { name, first, count, mean, variance } of groups) {
    const values = x.filter((_, row) => months[row] === name);
    const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
    expect({ first, count }).toEqual({ first: months.indexOf(name), count: values.length });
    expect(Math.abs(mean - middle)).toBeLessThan(1e-5);
    expect(Math.abs(variance / (squares / (values.length - 1)) - 1)).toBeLessThan(1e-5);
  }
});

example("radix-sort gives what a stable sort of rows gives", radixSort, ({ keys, rows }, printed) => {
  const x = floats(columnOf(radixSort));
  const order = [...x.keys()].sort((a, b) => (x[b] ?? 0) - (x[a] ?? 0)); // the platform's sort is stable
  expect(new Set(x).size).toBeLessThan(x.length);
  expect([...rows]).toEqual(order);
  expect([...keys]).toEqual(order.map((row) => x[row]));
  expect(printed[1]).toContain(columnOf(radixSort, "place")[order[0] ?? 0]);
});

example("running-deviation gives what a loop gives, up to rounding", running, ({ mean, deviation }) => {
  const x = floats(columnOf(running));
  expect([mean.length, deviation[0]]).toEqual([x.length, 0]);
  let sum = 0;
  let squares = 0;
  for (const [i, value] of x.entries()) {
    const before = i === 0 ? 0 : sum / i;
    sum += value;
    squares += (value - before) * (value - sum / (i + 1));
    expect(Math.abs((mean[i] ?? Number.NaN) - sum / (i + 1))).toBeLessThan(1e-4);
    if (i > 0) expect(Math.abs((deviation[i] ?? Number.NaN) - Math.sqrt(squares / i))).toBeLessThan(1e-4);
  }
});

example("softmax gives each month's shares", softmax, ({ share, logSum }, printed) => {
  const x = floats(columnOf(softmax));
  const months = columnOf(softmax, "date").map((date) => date.slice(0, 7));
  expect(share.length).toBe(x.length);
  for (const month of new Set(months)) {
    const rows = [...x.keys()].filter((row) => months[row] === month);
    const sum = rows.reduce((total, row) => total + Math.exp(x[row] ?? 0), 0);
    for (const row of rows) {
      const want = Math.exp(x[row] ?? 0) / sum;
      expect(Math.abs((share[row] ?? Number.NaN) / want - 1)).toBeLessThan(1e-5);
      expect(Math.abs((logSum[row] ?? Number.NaN) - Math.log(sum))).toBeLessThan(1e-5 * Math.log(sum));
    }
  }
  expect(printed.length).toBe(1 + share.filter((part) => part >= 0.5).length);
});

example("uneven-smoothing gives what a loop gives, up to rounding", uneven, ({ rows, smoothed }) => {
  const x = floats(columnOf(uneven));
  const times = columnOf(uneven, "time").map((text) => new Date(text).getTime());
  expect(rows).toEqual([...x.keys()].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0)));
  const seconds = rows.map((row) => Math.floor(((times[row] ?? 0) - (times[rows[0] ?? 0] ?? 0)) / 1000));
  let y = x[rows[0] ?? 0] ?? 0;
  for (const [i, row] of rows.entries()) {
    const value = x[row] ?? 0;
    if (i > 0) y = value + (y - value) * Math.exp(((seconds[i - 1] ?? 0) - (seconds[i] ?? 0)) / 21600);
    expect(Math.abs((smoothed[i] ?? Number.NaN) - y)).toBeLessThan(1e-6 * Math.max(...x));
  }
});

example("arrow-sums sums what is there, chunk by chunk", arrowSums, (found, printed) => {
  const texts = columnOf({ source: "data/earthquakes.csv:nst" });
  let sum = 0;
  const want = texts.map((text) => {
    sum += Number(text);
    return text === "" ? null : sum;
  });
  const count = texts.filter((text) => text !== "").length;
  expect(count).toBeLessThan(texts.length / 2);
  expect(found).toEqual({ sums: want, chunks: [150, 1, 149, 89], count, mean: sum / count });
  expect(printed.length).toBe(1 + Math.ceil(texts.length / 20));
});
