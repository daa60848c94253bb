/** A pass that moves a read of a variable or an array behind a change of it is found, and no other pass. */

import { afterEach, describe, expect, test } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import type { Capabilities } from "../src/capabilities/capabilities.ts";
import { changedReads } from "../src/follow/definitions.ts";
import { followDefinitions, inlined } from "../src/follow/follow.ts";
import type { ArrayRef, Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, binary, builtin, call, cast, load, lt, u32 } from "../src/language/make-expr.ts";
import { mapParts } from "../src/language/map-expr.ts";
import type { Fn, Module } from "../src/language/module.ts";
import { originOf, withOrigins } from "../src/language/origin.ts";
import type { Stmt } from "../src/language/stmt.ts";
import { mapStmt, walk } from "../src/language/walk.ts";
import { mapKernels, runPasses } from "../src/passes/base/pass.ts";
import { legaliseTypes } from "../src/passes/types/types.ts";
import { kernelWith, moduleWith, stmtsOf } from "./modules.ts";
import { SIMT } from "./simt.ts";

const out: ArrayRef<"storage"> = { space: "storage", name: "out", type: "u32" };
const lanes: ArrayRef<"work-group"> = { space: "work-group", name: "lanes", type: "u32" };
const lane = builtin("local-id");
const read = (e: Expr): Expr => call("out_at", "u32", [e]);
const OUT_AT: Fn = {
  name: "out_at",
  doc: "",
  params: [{ name: "index", type: "u32" }],
  returns: "u32",
  width: 1,
  body: [
    { kind: "return", values: [load("storage", "out", "u32", { kind: "var", name: "index", type: "u32" })] },
  ],
};

const built = (build: (code: Code) => void): Module =>
  moduleWith([kernelWith(stmtsOf(build), { workGroupSize: 8 })], { functions: [OUT_AT] });

/** A faulty pass: the value of each name stands where the name is read. */
function substituted(module: Module): Module {
  const values = new Map<string, Expr>();
  const change = (e: Expr): Expr => (e.kind === "var" ? (values.get(e.name) ?? e) : mapParts(e, change));
  const block = (stmts: readonly Stmt[]): readonly Stmt[] =>
    stmts.flatMap((stmt) => {
      const made = mapStmt(stmt, change, block);
      if (made.kind !== "let") return [made];
      values.set(made.name, made.value);
      return [];
    });
  return mapKernels(module, (kernel) => ({ ...kernel, body: block(kernel.body) }));
}

const problemsOf = (pass: (module: Module) => Module, build: (code: Code) => void): readonly string[] => {
  const before = withOrigins(built(build));
  return changedReads(before, pass(before));
};
const store = (code: Code, value: Expr): void => code.store(out, lane, value);

/** Each reads `old` behind a change of what it names. */
const MOVED: Readonly<Record<string, (code: Code) => void>> = {
  "an assignment": (code) => {
    const x = code.var("x", lane);
    const old = code.let("old", x);
    code.assign(x, u32(1));
    store(code, old);
  },
  "an assignment, beside a read of the new value": (code) => {
    const x = code.var("x", lane);
    const old = code.let("old", x);
    code.assign(x, u32(1));
    store(code, add(old, x));
  },
  "an assignment in one branch": (code) => {
    const x = code.var("x", lane);
    const old = code.let("old", x);
    code.if(lt(lane, u32(3)), (then) => then.assign(x, u32(1)));
    store(code, old);
  },
  "an assignment in the branch of a choice": (code) => {
    const x = code.var("x", lane);
    const old = code.let("old", x);
    code.choice(
      "common-operators",
      (native) => native.assign(x, u32(1)),
      () => {},
    );
    store(code, old);
  },
  "an assignment of an iteration": (code) => {
    const x = code.var("x", lane);
    code.for("i", u32(0), u32(4), (body) => {
      const old = body.let("old", x);
      body.if(lt(lane, u32(3)), (then) => then.assign(x, add(x, u32(1))));
      store(body, old);
    });
  },
  "the beginning of a loop": (code) => {
    const x = code.var("x", lane);
    const old = code.let("old", x);
    code.for("i", u32(0), u32(4), (body) => {
      store(body, old);
      body.assign(x, u32(1));
    });
  },
  "a loop": (code) => {
    const x = code.var("x", lane);
    const old = code.let("old", x);
    code.while(lt(x, u32(3)), (body) => body.assign(x, add(x, u32(1))));
    store(code, old);
  },
  "iterations, in their condition": (code) => {
    const x = code.var("x", lane);
    const old = code.let("old", lt(x, u32(3)));
    code.while(old, (body) => body.assign(x, add(x, u32(1))));
  },
  "a function of the work-group": (code) => {
    const x = code.var("x", lane);
    const old = code.let("old", x);
    code.native(x, { fn: "reduce", op: "add", value: lane, source: undefined });
    store(code, old);
  },
  "a store to an array of the work-item": (code) => {
    const items = code.array("items", "u32", 4);
    const old = code.let("old", code.load(items, u32(0)));
    code.store(items, u32(0), lane);
    store(code, old);
  },
  "a store to device memory": (code) => {
    const old = code.let("old", code.load(out, u32(0)));
    store(code, lane);
    store(code, old);
  },
  "a store to an array that a function loads from": (code) => {
    const old = code.let("old", read(u32(0)));
    store(code, lane);
    store(code, old);
  },
  "a barrier": (code) => {
    code.store(lanes, lane, lane);
    const old = code.let("old", code.load(lanes, u32(0)));
    code.barrier();
    store(code, old);
  },
};

describe("a read is found behind", () => {
  test.each(Object.entries(MOVED))("%s", (_, build) => {
    expect(problemsOf(substituted, build)).not.toEqual([]);
    expect(problemsOf((module) => module, build)).toEqual([]);
  });
});

describe("nothing is found where", () => {
  test("nothing that a name reads changes before the name is read", () => {
    const build = (code: Code): void => {
      const [x, y] = [code.var("x", lane), code.var("y", lane)];
      const items = code.array("items", "u32", 4);
      code.for("i", u32(0), u32(4), (body, i) => {
        const old = body.let("old", add(x, code.load(items, i)));
        body.assign(y, u32(1));
        body.store(lanes, lane, y);
        body.assign(x, old);
      });
      store(code, x);
    };
    expect(problemsOf(substituted, build)).toEqual([]);
  });

  test("a branch that is never taken is removed, with the assignments in it", () => {
    const build = (code: Code): void => {
      const x = code.var("x", lane);
      const never = code.let("never", lt(lane, u32(0)));
      code.if(never, (then) => then.assign(x, u32(1)));
      store(code, x);
    };
    const emptied = (module: Module): Module =>
      mapKernels(module, (kernel) => ({ ...kernel, body: kernel.body.filter(({ kind }) => kind !== "if") }));
    expect(problemsOf(emptied, build)).toEqual([]);
  });

  test("a variable becomes two", () => {
    const build = (code: Code): void => {
      const x = code.var("x", cast("i64", lane));
      const old = code.let("old", x);
      code.assign(x, binary("mul", x, old));
      store(code, cast("u32", add(old, x)));
    };
    expect(problemsOf(wordsOf, build)).toEqual([]);
  });
});

test("an assignment by a statement without an origin is found", () => {
  const build = (code: Code): void => {
    const x = code.var("x", lane);
    code.assign(x, u32(1));
    store(code, x);
  };
  const anew = (module: Module): Module =>
    mapKernels(module, (kernel) => ({
      ...kernel,
      body: kernel.body.map((stmt) =>
        stmt.kind === "assign" ? { kind: "assign", name: stmt.name, value: stmt.value } : stmt,
      ),
    }));
  expect(problemsOf(anew, build)[0]).toContain("without an origin gives x a value");
});

const capabilities: Capabilities = { ...SIMT, scalars: { ...SIMT.scalars, i64: "emulated" } };
const wordsOf = (module: Module): Module => legaliseTypes(module, { capabilities });

/** A second name of a variable, in 64 bits, which is read behind an assignment to it. */
const SECOND_NAME = (code: Code): void => {
  const x = code.var("x", lane);
  const wide = code.let("wide", cast("i64", x));
  code.assign(x, add(x, u32(1)));
  store(code, cast("u32", binary("mul", wide, wide)));
};

test("types keep a second name of a variable that is assigned", () => {
  expect(problemsOf(wordsOf, SECOND_NAME)).toEqual([]);
});

test("the high word of a work-group function's operand is read before the low one is replaced", () => {
  const build = (code: Code): void => {
    const x = code.var("x", cast("i64", lane));
    code.native(x, { fn: "broadcast", op: undefined, value: binary("shl", x, u32(32)), source: u32(0) });
    store(code, cast("u32", x));
  };
  expect(problemsOf(wordsOf, build)).toEqual([]);
});

test.each(Object.entries(MOVED))("a printer puts no value behind %s", (_, build) => {
  const printed = (module: Module): Module =>
    mapKernels(module, (kernel) => ({ ...kernel, body: inlined(kernel.body) }));
  // The flag of functions that load is the work of the passes that bring them in.
  const flagged = (e: Expr): Expr => (e.kind === "call" ? { ...e, loads: true } : mapParts(e, flagged));
  const loading = (code: Code): void => {
    build(code);
    const block = (stmts: readonly Stmt[]): Stmt[] => stmts.map((stmt) => mapStmt(stmt, flagged, block));
    code.stmts.splice(0, code.stmts.length, ...block(code.stmts));
  };
  expect(problemsOf(printed, loading)).toEqual([]);
});

describe("tests that follow definitions", () => {
  afterEach(() => followDefinitions(false));
  const faulty = { name: "faulty", run: substituted };
  const run = (): unknown => runPasses([faulty], built(MOVED["an assignment"] as never), { capabilities });

  test("fail at the pass that changes a read, with its name", () => {
    followDefinitions(true);
    expect(errorFrom(run)).toMatchObject({
      code: "bad-kernel",
      what: expect.stringContaining("after faulty"),
    });
    followDefinitions(false);
    expect(run).not.toThrow();
  });

  test("number statements, which no other run does", () => {
    const numbers: (number | undefined)[] = [];
    const pass = {
      name: "numbers",
      run: (module: Module): Module => {
        numbers.push(...walk(module.kernels[0]?.body ?? []).map(originOf));
        return module;
      },
    };
    runPasses([pass], built(SECOND_NAME), { capabilities });
    expect(new Set(numbers)).toEqual(new Set([undefined]));
    followDefinitions(true);
    runPasses([pass], built(SECOND_NAME), { capabilities });
    expect(numbers.slice(4).every((number) => number !== undefined)).toBe(true);
  });
});
