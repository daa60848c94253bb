import { expect, test } from "vitest";
import { load, u32 } from "../src/language/make-expr.ts";
import type { Buffer, Kernel } from "../src/language/module.ts";
import { removeIdle } from "../src/passes/idle.ts";
import { kernel, moduleOf, X, Y } from "./two-arrays.ts";

/** Copies an element of one array to another. */
const copy = (from: string, to: string): Kernel =>
  kernel(`${from} to ${to}`, (code) =>
    code.store({ ...Y, name: to }, u32(0), load("storage", from, "u32", u32(0))),
  );
const array = (name: string, role: Buffer["role"] = "scratch"): Buffer => ({
  ...{ name, role, type: "u32", elements: "n", cleared: false },
});

test("kernels stay whose results an output depends on, with the scratch arrays that they use", () => {
  const adds = kernel("x to sum", (code) => {
    code.atomic("add", { ...Y, name: "sum" }, u32(0), load("storage", X.name, "u32", u32(0)));
    code.store({ ...Y, name: "spare" }, u32(0), u32(1));
  });
  const needed = [copy("x", "a"), copy("a", "b"), adds, copy("b", "y"), copy("sum", "status")];
  const before = [copy("x", "spare"), copy("x", "c"), copy("c", "d")];
  const after = [copy("b", "a"), copy("y", "c"), kernel("nothing", () => {})];
  const given = moduleOf(...before, ...needed, ...after);
  const kept = [...given.buffers, ...["a", "b", "sum", "spare"].map((name) => array(name))];
  const others = [array("status", "status"), array("z", "input")];
  const made = removeIdle({ ...given, buffers: [...kept, array("c"), ...others, array("d")] });
  expect(made).toEqual({ ...given, kernels: needed, buffers: [...kept, ...others] });
});
