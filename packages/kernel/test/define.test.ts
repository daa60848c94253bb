import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { expect, test } from "vitest";
import { call, load, u32 } from "../src/language/make-expr.ts";
import type { Fn, Module } from "../src/language/module.ts";
import { usesOfBlock } from "../src/language/uses.ts";
import { BODIES } from "../src/library/functions/apply.ts";
import { ELEMENTARY_BODIES } from "../src/library/functions/elementary/bodies.ts";
import { defineFunctions } from "../src/passes/define.ts";
import { SIMT } from "./simt.ts";
import { kernel, moduleOf, Y } from "./two-arrays.ts";

const CAPABILITIES = { ...SIMT, scalars: { ...SIMT.scalars, f32: "native" } } as const;
const ALL = [...BODIES, ...ELEMENTARY_BODIES];
const calls = ({ body }: Fn): ReadonlySet<string> => usesOfBlock(body).calls;
/** A function on f32 that calls others. */
const outer = ALL.find(
  (fn) => fn.returns === "f32" && fn.params.every(({ type }) => type === "f32") && calls(fn).size > 0,
) as Fn;
const calling = (fn: Fn): Module => {
  const type = fn.returns as Scalar;
  const args = fn.params.map((param) => load("storage", "x", param.type, 0));
  return moduleOf(kernel("k", (code) => code.store({ ...Y, type }, u32(0), call(fn.name, type, args))));
};
const given = calling(outer);
function defined(more: object, module: Module = given): readonly Fn[] {
  const made = defineFunctions(module, { capabilities: { ...CAPABILITIES, ...more } });
  if ("refused" in made) throw made.error;
  return made.functions;
}

test("the bodies of functions are added with those that they call, in the order of the library", () => {
  const found = defined({});
  const names = found.map(({ name }) => name);
  expect(names).toEqual(ALL.map(({ name }) => name).filter((name) => names.includes(name)));
  const known = new Set(ALL.map(({ name }) => name));
  const wanted = new Set(found.flatMap((fn) => [...calls(fn)].filter((name) => known.has(name))));
  expect(new Set(names)).toEqual(new Set([outer.name, ...wanted]));
  expect(found.find(({ name }) => name === outer.name)).toEqual(outer);
  expect(defined({}, { ...given, functions: [outer] })).toEqual([outer]);
  const unknown = moduleOf(kernel("k", (code) => code.store(Y, u32(0), call("unknown", "u32", []))));
  expect(defined({ calls: { unsupported: "" } }, unknown)).toEqual([]);
});

test("a function of the language itself has no body, if the types are native", () => {
  const own = [{ ...outer, own: true, body: [] }];
  expect(defined({ own: [outer.name] })).toEqual(own);
  expect(defined({ fast: { [outer.name]: "" } })).toEqual(own);
  const wide = ALL.filter(({ params }) => params.some(({ type }) => type === "f64"));
  for (const isWide of [true, false]) {
    const fn = wide.find(({ returns }) => (returns === "f64") === isWide) as Fn;
    for (const form of ["native", "emulated"] as const) {
      const more = { own: [fn.name], scalars: { ...CAPABILITIES.scalars, f64: form } };
      const found = defined(more, calling(fn)).find(({ name }) => name === fn.name);
      expect(found).toEqual(form === "native" ? { ...fn, own: true, body: [] } : fn);
    }
  }
});

test("where nothing can be called, only such functions are not refused", () => {
  const capabilities = { ...CAPABILITIES, calls: { unsupported: "no functions" } };
  const made = defineFunctions(given, { capabilities });
  expect(made).toMatchObject({
    error: { code: "unsupported" },
    refused: expect.stringContaining("no functions"),
  });
  expect(defined({ ...capabilities, own: [outer.name] })).toHaveLength(1);
});
