/** One hash of pipelines on all devices, over whole arrays, their beginnings, views and chunks; a device or a form that differs is found. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostArray } from "@groupwise/core";
import { deviceTest, inFullRuns, isFullRun } from "@groupwise/testkit/conformance";
import { findOpenCl, scratchDirectory } from "@groupwise/testkit/devices";
import { describe, expect, it } from "vitest";
import type { Hashes } from "../src/hashes/forms.ts";
import { type HashTable, hashes, isOneHash } from "../src/hashes/hashes.ts";
import { HASHED } from "../src/hashes/pipelines.ts";
import { printHashes } from "../src/hashes/print.ts";

const items = isFullRun() ? 70_001 : 1031;
const inputOf = (name: string, input: string): HostArray => {
  const hashed = HASHED.find((one) => one.name === name);
  return hashed?.inputs[input]?.values(items) as HostArray;
};
const hashOf = (...arrays: readonly HostArray[]): string => {
  const hash = createHash("sha256");
  for (const array of arrays) hash.update(new Uint8Array(array.buffer));
  return hash.digest("hex").slice(0, 16);
};

/** By plain loops: results that no order of combines changes. */
const LOOPS: Readonly<Record<string, () => string>> = {
  "sums of i64": () => {
    let sum = 0n;
    return hashOf(
      (inputOf("sums of i64", "x") as BigInt64Array).map((x) => (sum = BigInt.asIntN(64, sum + x))),
    );
  },
  "maxima of f32": () => {
    let most = Number.NEGATIVE_INFINITY;
    return hashOf((inputOf("maxima of f32", "x") as Float32Array).map((x) => (most = Math.max(most, x))));
  },
  "compaction of f32": () => {
    const keep = inputOf("compaction of f32", "keep");
    const kept = (inputOf("compaction of f32", "x") as Float32Array).filter((_, i) => keep[i] === 1);
    return hashOf(kept, Uint32Array.of(kept.length));
  },
  "sort of f32 with u32": () => {
    const keys = inputOf("sort of f32 with u32", "keys") as Float32Array;
    const isLess = (a: number, b: number): boolean => a < b || (Object.is(a, -0) && Object.is(b, 0));
    const order = Array.from(keys.keys()).sort((i, j) => {
      const [a, b] = [keys[i] as number, keys[j] as number];
      return isLess(a, b) ? -1 : isLess(b, a) ? 1 : i - j;
    });
    return hashOf(
      Float32Array.from(order, (i) => keys[i] as number),
      Uint32Array.from(order),
    );
  },
};

const onJs = await hashes({ items, only: ["javascript"] });

/** A table with another hash on a second device. */
function changed(name: string, change: (cell: Hashes) => Partial<Hashes>): HashTable {
  const [device] = onJs.devices as [HashTable["devices"][number]];
  const cell = device.cells[name] as Hashes;
  const cells = { ...device.cells, [name]: { ...cell, ...change(cell) } };
  return { ...onJs, devices: [device, { ...device, label: "Other", cells }] };
}

describe("hashes in JavaScript", () => {
  it("are equal in all forms, and different for each pipeline", () => {
    expect(isOneHash(onJs), printHashes(onJs, false)).toBe(true);
    const all = Object.values(onJs.devices[0]?.cells ?? {}) as Hashes[];
    expect(all).toHaveLength(10);
    expect(new Set(all.flatMap(({ whole, prefix }) => [whole, prefix])).size).toBe(20);
    expect(all.filter(({ chunks }) => chunks !== undefined)).toHaveLength(9);
    expect(all.filter(({ beginning }) => beginning !== undefined)).toHaveLength(7);
  });

  it.each(Object.entries(LOOPS))("are those of a plain loop: %s", (name, loop) => {
    expect(onJs.devices[0]?.cells[name]).toMatchObject({ whole: loop() });
  });
});

describe("a table", () => {
  it.each(["whole", "prefix", "beginning", "view", "chunks"] as const)("differs by %s", (form) => {
    const table = changed("sums of f32", () => ({ [form]: "0123456789abcdef" }));
    expect(isOneHash(table)).toBe(false);
    const shown = form === "beginning" ? "prefix" : form;
    expect(printHashes(table, false)).toContain(`DIFFERS: ${shown}\n`);
  });

  it("has devices of earlier results, of the same number of items", async () => {
    const path = join(scratchDirectory(), "earlier.json");
    const earlier = changed("maxima of f32", () => ({ whole: "0123456789abcdef" }));
    writeFileSync(path, JSON.stringify({ ...earlier, devices: earlier.devices.slice(1) }));
    const choice = { items, only: ["javascript"], against: [path], pipelines: ["maxima", "affine"] };
    const table = await hashes(choice);
    expect(table.devices.map(({ label }) => label)).toEqual(["Other", "JavaScript"]);
    expect(isOneHash(table)).toBe(false);
    await expect(hashes({ ...choice, items: items + 1 })).rejects.toThrow("items");
    await expect(hashes({ items: 7 })).rejects.toMatchObject({ code: "bad-argument" });
  });
});

const openPocl = (): ReturnType<typeof findOpenCl> => {
  const platform = findOpenCl("pocl");
  if (platform.found) Object.assign(process.env, platform.value.env);
  return platform;
};
deviceTest(
  "devices of this machine have the hashes of JavaScript",
  inFullRuns("the tests of each target compare its bits with the reference's", openPocl),
  async () => {
    const table = await hashes({ items });
    expect(table.devices.map(({ target }) => target)).toEqual(
      expect.arrayContaining(["js", "opencl", "wasm"]),
    );
    const all = { ...table, devices: [...onJs.devices, ...table.devices] };
    expect(isOneHash(all), printHashes(all, false)).toBe(true);
  },
);
