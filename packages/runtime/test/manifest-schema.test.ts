import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { expect, it } from "vitest";
import * as z from "zod";
import { errorFrom } from "../../ir/test/support.ts";
import { manifestJsonSchema, parseManifest } from "../src/plan/manifest-schema.ts";

const n4: Formula = { op: "mul", args: [{ op: "max", args: ["n", 1] }, 4] };
const manifest = () => ({
  ...{ format: "groupwise-manifest", version: 2, generator: "g", command: "c", pipeline: "p", target: "t" },
  ...{ workGroupSize: [64], maxItems: 1000, strategy: "s" },
  params: [{ name: "n", type: "u32", memory: "u32", role: "length", offset: 0 }],
  paramBlock: { binding: 0, bytes: 16, alignment: 256 },
  calls: [
    {
      function: "f",
      arguments: [
        { name: "n", scalar: "size" },
        { name: "x", array: "read" },
      ],
      scratch: "function",
    },
  ],
  bindings: [
    {
      ...{ name: "x", role: "input", type: "bool", memory: "u32", bytesPerElement: 4, alignment: 256 },
      ...{ elements: formula("add", "n", { length: "t" }), bytes: n4, cleared: false },
    },
  ],
  passes: [
    {
      ...{ entryPoint: "e", file: "f", workGroupSize: 64, groups: 1, params: ["n"], workGroupBytes: 0 },
      bindings: [{ name: "x", access: "read" }],
    },
  ],
  ...{ scratchBytes: 0, requires: [], flags: { tile: "1", subgroup: 32, fast: true } },
});

it("takes a manifest, as text or as a value, and so does the JSON Schema", () => {
  expect(parseManifest(manifest())).toEqual(manifest());
  expect(parseManifest(JSON.stringify(manifest()))).toEqual(manifest());
  const schema = z.fromJSONSchema(manifestJsonSchema() as never);
  expect(schema.safeParse(manifest()).success).toBe(true);
  expect(schema.safeParse({ ...manifest(), version: 1 }).success).toBe(false);
});

it.each<[string, string, string, unknown]>([
  ["bad-version", "version", "another version", { ...manifest(), version: 1 }],
  ["bad-manifest", "document", "another text", "{"],
  ["bad-manifest", "document", "no object", 7],
  ["bad-manifest", "document", "an unknown key", { ...manifest(), more: 1 }],
  ["bad-manifest", "bindings", "no arrays", { ...manifest(), bindings: undefined }],
  [
    "bad-manifest",
    "bindings[0].memory",
    "a type that is none in memory",
    { ...manifest(), bindings: [{ ...manifest().bindings[0], memory: "bool" }] },
  ],
  [
    "bad-manifest",
    "scratchBytes",
    "an unknown operator",
    { ...manifest(), scratchBytes: { op: "pow", args: ["n", 2] } },
  ],
])("refuses with %s at %s %s", (code, where, _, given) => {
  expect(errorFrom(() => parseManifest(given))).toMatchObject({ code, where });
});
