/** Text that printers write beside statements: functions that are called, and comments. */
import { Names } from "@groupwise/ir/base/names.js";
import { describe, expect, it, test } from "vitest";
import { Code } from "../src/language/build.ts";
import { add, builtin, call, u32 } from "../src/language/make-expr.ts";
import type { Fn, Module } from "../src/language/module.ts";
import { linkFunctions } from "../src/passes/functions.ts";
import { commentText } from "../src/print/text.ts";
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
  const functions = [fnOf("inner"), fnOf("outer", "inner"), fnOf("unused")];
  const linked = (calls: readonly string[]): string[] => {
    const kernels = calls.map((fn, i) => {
      const code = new Code(new Names());
      const out = { space: "storage", name: "out", type: "u32" } as const;
      code.store(out, builtin("local-id"), call(fn, "u32", [u32(1)]));
      return { name: `k${i}`, doc: [], workGroupSize: 4, groups: 1, shared: [], body: code.stmts };
    });
    const module: Module = { name: "m", params: [], buffers: [], functions, kernels };
    return linkFunctions(module, { capabilities: SIMT }).functions.map(({ name }) => name);
  };

  it("are those that kernels call, callees first: compilers warn of others", () => {
    expect(linked(["outer"])).toEqual(["inner", "outer"]);
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
