/** The debug option of runtimes: accesses outside of arrays, and reads of what nothing wrote, are errors. */
import type { Runtime } from "@groupwise/core";
import { pipeline, u32 } from "@groupwise/dsl";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, u32 as index } from "@groupwise/kernel/language/make-expr.js";
import { mapParts } from "@groupwise/kernel/language/map-expr.js";
import type { Module } from "@groupwise/kernel/language/module.js";
import type { Stmt } from "@groupwise/kernel/language/stmt.js";
import { type ModulePass, mapExprs } from "@groupwise/kernel/passes/base/pass.js";
import { PASSES } from "@groupwise/kernel/passes/list.js";
import { expect } from "vitest";
import { mapKernelBlocks } from "./kernels.ts";

/** A value that is read at other items, so that it is in an array of its own. */
const turned = (name: string) =>
  pipeline(name, { x: u32, k: u32 }, ({ x, k }) => ({ y: x.scanInclusive("add").mul(3).at(k), z: x.add(1) }));

const ITEMS = 100;
const x = Uint32Array.from({ length: ITEMS }, (_, i) => i * i);
const k = Uint32Array.from({ length: ITEMS }, (_, i) => ITEMS - 1 - i);

const sumTo = (i: number): number => x.slice(0, i + 1).reduce((sum, value) => sum + value, 0);

/** What lowerings get wrong, the error's text, and the change of their modules. */
const WRONG: readonly (readonly [name: string, what: string, change: (module: Module) => Module])[] = [
  [
    "read-outside",
    "reads outside of x",
    (module) => {
      const next = (e: Expr): Expr => {
        const made = mapParts(e, next);
        return made.kind === "load" && made.array === "x"
          ? { ...made, index: add(made.index, index(1)) }
          : made;
      };
      return mapExprs(module, next);
    },
  ],
  [
    "write-outside",
    "writes outside of z",
    (module) =>
      mapKernelBlocks(module, (block) =>
        block.map((stmt) =>
          stmt.kind === "store" && stmt.array === "z" ? { ...stmt, index: add(stmt.index, index(1)) } : stmt,
        ),
      ),
  ],
  [
    "unwritten",
    "reads an element that nothing wrote",
    (module) => {
      const values = module.buffers.filter(({ role }) => role === "scratch");
      const isStored = (stmt: Stmt): boolean =>
        (stmt.kind === "store" || stmt.kind === "store-row") &&
        values.some(({ name }) => name === stmt.array);
      return mapKernelBlocks(module, (block) => block.filter((stmt) => !isStored(stmt)));
    },
  ],
];

/** Runs while the first pass gets modules that a lowering would have to have made wrong. */
async function lowering<T>(change: (module: Module) => Module, run: () => Promise<T>): Promise<T> {
  const pass = PASSES[0] as { run: ModulePass["run"] };
  const real = pass.run;
  pass.run = (module, around) => real(change(module), around);
  try {
    return await run();
  } finally {
    pass.run = real;
  }
}

/** @param runtime with the option `debug` */
export async function expectAccessesChecked(runtime: Runtime): Promise<void> {
  const right = await runtime.compile(turned("right"));
  expect(await right.run({ x, k })).toEqual({
    y: k.map((i) => 3 * sumTo(i)),
    z: x.map((value) => value + 1),
  });
  right.dispose();
  for (const [name, what, change] of WRONG) {
    const program = await lowering(change, () => runtime.compile(turned(name)));
    const error = {
      code: "bad-access",
      what: expect.stringContaining(what),
      where: expect.stringContaining(name),
    };
    await expect(program.run({ x, k })).rejects.toMatchObject(error);
    const arrays = { x, k, y: ITEMS, z: ITEMS } as const;
    const made = Object.fromEntries(
      Object.entries(arrays).map(([array, given]) => [array, runtime.array("u32", given)]),
    );
    const steps = runtime.record().run(program as never, made as never);
    await expect(steps.submit()).rejects.toMatchObject(error);
    for (const array of Object.values(made)) array.dispose();
    program.dispose();
  }
}
