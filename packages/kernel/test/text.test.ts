/** Text that printers write beside statements: functions that are called, and comments. */
import { Names } from "@groupwise/ir/base/names.js";
import { describe, expect, it, test } from "vitest";
import type { Capabilities } from "../src/capabilities/capabilities.ts";
import { HALF_FORMS } from "../src/capabilities/half-conversions.ts";
import { Code } from "../src/language/build.ts";
import { add, builtin, call, u32 } from "../src/language/make-expr.ts";
import type { Fn } from "../src/language/module.ts";
import { usesOfBlock } from "../src/language/uses.ts";
import { CONVERTING, HALF_WORD_FUNCTIONS } from "../src/library/types/half-conversions.ts";
import { pairFunctions } from "../src/library/types/half-pairs.ts";
import { FUNCTIONS, linkFunctions } from "../src/passes/functions.ts";
import { commentText } from "../src/print/text.ts";
import { kernelWith, moduleWith, stmtsOf } from "./modules.ts";
import { SIMT } from "./simt.ts";

const x = { kind: "var", name: "x", type: "u32" } as const;
/** A function of one word, which calls another one or adds one. */
function fnOf(name: string, callee?: string): Fn {
  const code = new Code(new Names(["x"]));
  code.return(callee === undefined ? add(x, u32(1)) : call(callee, "u32", [x]));
  return {
    name,
    doc: name,
    params: [{ name: "x", type: "u32" }],
    returns: "u32",
    width: 1,
    body: code.stmts,
  };
}

describe("the functions of a module", () => {
  const own = [fnOf("inner"), fnOf("outer", "inner"), fnOf("unused")];
  const functionsOf = (calls: readonly string[], capabilities: Capabilities = SIMT): readonly Fn[] => {
    const kernels = calls.map((fn, i) => {
      const out = { space: "storage", name: "out", type: "u32" } as const;
      const called = call(fn, "u32", [u32(1)]);
      return kernelWith(
        stmtsOf((code) => code.store(out, builtin("local-id"), called)),
        { name: `k${i}`, workGroupSize: 4 },
      );
    });
    return linkFunctions(moduleWith(kernels, { functions: own }), { capabilities }).functions;
  };
  const linked = (calls: readonly string[]): string[] => functionsOf(calls).map(({ name }) => name);

  it("are those that kernels call, callees first: compilers warn of others", () => {
    expect(linked(["outer"])).toEqual(["inner", "outer"]);
    expect(linked(["unknown"])).toEqual([]);
  });
  it("are each there once, callees first, also where a device converts halves", () => {
    const scalars = { ...SIMT.scalars, f16: "emulated" } as const;
    const device = { ...SIMT, scalars, expand: ["guard-rounding"] } as const;
    const all = [...FUNCTIONS, ...HALF_WORD_FUNCTIONS, ...pairFunctions(true)];
    for (const halfConversions of HALF_FORMS) {
      const found = functionsOf(
        all.map(({ name }) => name),
        { ...device, halfConversions },
      );
      const names = found.map(({ name }) => name);
      expect(names).toHaveLength(all.length);
      expect(new Set(names)).toEqual(new Set(all.map(({ name }) => name)));
      for (const [i, { body }] of found.entries())
        expect(names.slice(0, i)).toEqual(expect.arrayContaining([...usesOfBlock(body).calls]));
      for (const fn of CONVERTING[halfConversions]) expect(found).toContainEqual(fn);
      for (const fn of pairFunctions(true)) expect(found).toContainEqual(fn);
    }
  });
  it("are all of a library, which has no kernels", () => {
    expect(linked([])).toEqual(["inner", "outer", "unused"]);
  });
});

test("comments have one line of plain characters, and no trigraph that would continue the line", () => {
  expect(commentText("a\nb\\c é")).toBe("a?b/c ?");
  for (const given of ["é??\\", "what??/", "????/"])
    expect(commentText(given)).not.toMatch(/\?\?[=/'()!<>-]/);
});
