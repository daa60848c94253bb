import { errorOf } from "@groupwise/ir/base/errors.js";
import { expect, test } from "vitest";
import type { Module } from "../src/language/module.ts";
import { freshName, type ModulePass, runPasses } from "../src/passes/base/pass.ts";
import { SIMT } from "./simt.ts";
import { kernel, moduleOf } from "./two-arrays.ts";

const module: Module = {
  ...moduleOf(kernel("k", () => {})),
  params: [{ name: "n", type: "u32", role: "length" }],
};

test("a refusal ends the passes", () => {
  const error = errorOf("unsupported", { what: "it", reason: "a test" });
  const refusing: ModulePass = { name: "refusing", run: () => ({ refused: "a test", error }) };
  const never: ModulePass = {
    name: "never",
    run: () => {
      throw new Error("it ran");
    },
  };
  const renaming: ModulePass = { name: "renaming", run: (given) => ({ ...given, name: `${given.name}_` }) };
  const around = { capabilities: SIMT };
  expect(runPasses([renaming, refusing, never], module, around)).toEqual({ refused: "a test", error });
  expect(runPasses([renaming, renaming], module, around)).toEqual({ ...module, name: "m__" });
});

test("a fresh name is none of a parameter, an array or a kernel", () => {
  const names = ["n", "x", "k", "other"].map((hint) => freshName(hint, module));
  expect(new Set([...names, "n", "x", "k"]).size).toBe(7);
  expect(names[3]).toBe("other");
});
