import { describe, expect, it } from "vitest";
import {
  ERROR_CODES,
  type ErrorCode,
  type ErrorDetails,
  errorOf,
  GroupwiseError,
} from "../src/base/errors.ts";
import { unknownFunction } from "../src/base/near-names.ts";

/** Details for every code: a new code does not compile without its line here. */
const DETAILS: { readonly [C in ErrorCode]: ErrorDetails<C> } = {
  "bad-json": { reason: "R" },
  "bad-document": { reason: "R" },
  "bad-version": { version: 7, supported: 1 },
  "too-large": { what: "W", got: 12, limit: 11 },
  "bad-name": { name: "N", what: "W" },
  "duplicate-name": { name: "N" },
  "bad-node-id": { got: 12, want: 11 },
  "forward-reference": { from: 11, to: 12 },
  "not-a-value": { id: 12, kind: "K" },
  "unknown-op": { op: "O", known: ["K"] },
  "bad-operator": { name: "N", reason: "R" },
  "unknown-operator": { got: 12, count: 11 },
  "unknown-field": { operator: "N", got: 12, fields: ["K"] },
  "unknown-function": { name: "N", known: ["K"] },
  "unknown-type": { type: "T", known: ["K"] },
  "op-type": { op: "O", type: "T", known: ["K"] },
  "type-mismatch": { want: "A", got: "B", what: "W" },
  "wrong-identity": { op: "O", type: "T", got: 1, want: 0 },
  "bad-literal": { type: "T", got: "G" },
  "bad-work-group": { got: 12, limit: 11 },
  "not-uniform": { what: "W", uniformity: "item", want: "A" },
  "broadcast-outside": { index: 12, size: 11 },
  "not-on-host": { what: "W", got: "G" },
  "no-output": undefined,
  "unused-condition": undefined,
  "foreign-value": undefined,
  unsupported: { what: "W", reason: "R" },
  "work-group-too-large": { size: 12, limit: 11 },
  "bad-kernel": { reason: "R" },
  "no-evaluation": { reason: "R" },
  "no-modules": { what: "W", reason: "R", remedy: "use another" },
  "not-carried": { what: "a gather", reason: "elsewhere" },
  "bad-state": { reason: "it is of another pipeline" },
  "in-place-refused": { output: "O", input: "I", reason: "R" },
  "bad-argument": { what: "W", want: "A", got: "B" },
  "missing-input": { name: "N", known: ["K"] },
  "unknown-input": { name: "N", known: ["K"] },
  "missing-output": { name: "N", known: ["K"] },
  "wrong-dtype": { name: "N", want: "A", got: "B" },
  detached: { name: "N" },
  "length-mismatch": { lengths: "L" },
  "length-needed": undefined,
  "bad-length": { got: -1, limit: 11 },
  "bad-range": { reason: "R", sides: 12 },
  "too-many-items": { n: 12, limit: 11, why: "W" },
  "bad-parameter": { name: "N", type: "T", got: "G" },
  "table-too-long": { name: "N", length: 12, limit: 11 },
  "bad-capacity": { name: "N", got: 12, limit: 11 },
  "bad-buffer": { name: "N", reason: "R" },
  "bad-slice": { from: 12, to: 11, length: 10 },
  "foreign-device": { what: "W" },
  "bad-manifest": { reason: "R" },
  "bad-tuning": { reason: "R" },
  "foreign-tuning": { tuned: "T", got: "G" },
  "empty-broadcast": { name: "N" },
  "bad-access": { array: "A", problem: "reads" },
  "bad-divisor": { name: "N", value: 4, n: 6 },
  "scatter-outside": { names: "N" },
  "scatter-conflict": { name: "N", slot: 12, first: 10, second: 11 },
  "device-missing": { what: "W", reason: "R" },
  "device-limit": { what: "W", need: 12, limit: 11 },
  "device-error": { device: "D", reason: "R" },
  "device-lost": { device: "D", reason: "R" },
  disposed: { what: "W" },
  "missing-file": { path: "P", reason: "R" },
  "bad-file": { path: "P", reason: "R" },
  "bad-usage": { reason: "R" },
};

describe.each(ERROR_CODES)("%s", (code) => {
  const make = (where?: string, cause?: unknown): GroupwiseError =>
    (errorOf as (c: ErrorCode, d: unknown, w?: string, e?: unknown) => GroupwiseError)(
      code,
      DETAILS[code],
      where,
      cause,
    );

  it("states what is wrong, where, and what to do", () => {
    const { message, what, hint, where } = make("nodes[3].op");
    expect(message).toBe(`nodes[3].op: ${what}. ${hint.charAt(0).toUpperCase()}${hint.slice(1)}. [${code}]`);
    expect(where).toBe("nodes[3].op");
    expect(what).not.toMatch(/undefined|\[object|\.$/);
    expect(hint).not.toMatch(/undefined|\[object|\.$/);
    expect(hint.length).toBeGreaterThan(5);
  });

  it("contains every given detail", () => {
    const { what, hint } = make();
    for (const detail of Object.values(DETAILS[code] ?? {}).flat())
      expect(`${what} ${hint}`).toContain(String(detail));
  });

  it("is plain data for programs", () => {
    const error = make("here");
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code,
      what: error.what,
      where: "here",
      hint: error.hint,
      docs: `/errors#${code}`,
    });
  });
});

describe("an error", () => {
  it("is an Error, with its cause", () => {
    const cause = new Error("below");
    const error = errorOf("no-output", undefined, "", cause);
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(GroupwiseError);
    expect(error.name).toBe("GroupwiseError");
    expect(error.cause).toBe(cause);
    expect("cause" in errorOf("no-output", undefined)).toBe(false);
  });

  it("without a location starts with the problem", () => {
    expect(errorOf("no-output", undefined).message).toMatch(/^the pipeline has no output\. /);
  });

  it("about an unknown function names the functions like it, not all", () => {
    const kinds = ["reduce", "scan-inclusive", "scan-exclusive"];
    const known = kinds.flatMap((kind) =>
      ["add", "max", "min"].flatMap((op) => ["f32", "i32", "u32"].map((type) => `${kind}-${op}-${type}`)),
    );
    const hint = (name: string): string => unknownFunction(name, known, "all()").hint;
    expect(hint("reduce_ad_f32")).toMatch(
      /^there are: reduce-add-f32, .*, and 22 others, which all\(\) returns$/,
    );
    expect(hint("scan-add-f32")).toMatch(/^there are: scan-(inclusive|exclusive)-add-f32, scan-/);
    expect(hint("Reduce-Max-i32").match(/f32|i32|u32/g)).toHaveLength(5);
    expect(hint("sum")).toBe(`there are: ${known.join(", ")}`);
    expect(unknownFunction("ad", ["add"], "all()").hint).toBe("there are: add");
  });

  it("quotes text from outside, up to a limit", () => {
    const error = errorOf("duplicate-name", { name: `"\n\u001b[31m${"x".repeat(1000)}` });
    expect(error.what).toContain('"\\"\\n\\u001b[31mxxx');
    expect(error.what.length).toBeLessThan(150);
  });
});
