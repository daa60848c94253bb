/** What prune removes, and that results remain equal. */

import { Names } from "@groupwise/ir/base/names.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { Code } from "../src/language/build.ts";
import type { Expr, VarExpr } from "../src/language/expr.ts";
import { add, binary, builtin, call, load, lt, select, u32 } from "../src/language/make-expr.ts";
import type { Fn, Module } from "../src/language/module.ts";
import type { Stmt } from "../src/language/stmt.ts";
import { walk } from "../src/language/walk.ts";
import { prune, pruned } from "../src/passes/prune.ts";
import { runGroup } from "./kernel-interpreter.ts";
import { kernelWith, moduleWith, stmtsOf } from "./modules.ts";

const LANES = 4;
const lane = builtin("local-id");
const out = { space: "storage", name: "out", type: "u32" } as const;

const SUMS = { name: "sums", type: "u32", length: 1 } as const;
const moduleOf = (body: readonly Stmt[], functions: readonly Fn[] = []): Module =>
  moduleWith([kernelWith(body, { workGroupSize: LANES, shared: [SUMS] })], { functions });

/** The assigned names that remain, in order. */
function left(build: (code: Code) => void): string[] {
  const [kernel] = prune(moduleOf(stmtsOf(build))).kernels;
  return walk(kernel?.body ?? []).flatMap((stmt) => {
    if (stmt.kind === "assign")
      return [`${stmt.name} = ${stmt.value.kind === "const" ? stmt.value.value : "…"}`];
    return stmt.kind === "var" || stmt.kind === "array" ? [`${stmt.kind} ${stmt.name}`] : [];
  });
}
const plus = (x: Expr, k: number): Expr => add(x, u32(k));

it("a variable that nothing uses goes beside a block with another one of its name", () => {
  const variable: Stmt = { kind: "var", name: "x", value: lane };
  const x: Expr = { kind: "var", name: "x", type: "u32" };
  const block = (build: (code: Code) => void): Stmt => ({
    ...{ kind: "if", condition: lt(lane, u32(2)), otherwise: [] },
    then: [variable, ...stmtsOf(build)],
  });
  const unused = block((code) => code.store(out, lane, lane));
  const used = block((code) => {
    code.if(lt(lane, u32(1)), (inner) => inner.stmts.push({ kind: "assign", name: "x", value: plus(x, 1) }));
    code.store(out, lane, x);
  });
  const [kernel] = prune(moduleOf([unused, used])).kernels;
  expect(kernel?.body.map((stmt) => "then" in stmt && stmt.then.map(({ kind }) => kind))).toEqual([
    ["store"],
    ["var", "if", "store"],
  ]);
});

it("a work-group array that nothing reads goes with what is written to it", () => {
  const code = new Code(new Names());
  const sums = { space: "work-group", name: "sums", type: "u32" } as const;
  code.store(sums, u32(0), lane);
  code.store(out, lane, lane);
  const [kernel] = prune(moduleOf(code.stmts)).kernels;
  expect(kernel?.shared).toEqual([]);
  expect(walk(kernel?.body ?? []).filter(({ kind }) => kind === "store")).toHaveLength(1);
  code.store(out, lane, load("work-group", "sums", "u32", 0));
  expect(prune(moduleOf(code.stmts)).kernels[0]?.shared).toHaveLength(1);
});

it("of several work-group arrays those that a load or an atomic reads stay, in blocks too", () => {
  const shared = ["unread", "loaded", "counted"].map((name) => ({ name, type: "u32", length: 1 }) as const);
  const code = new Code(new Names());
  code.if(lt(lane, u32(2)), (then) => {
    for (const one of shared) then.store({ ...one, space: "work-group" }, u32(0), lane);
    // Memory of the device may have the name.
    then.store({ ...out, name: "unread" }, lane, lane);
  });
  const atomic = { kind: "atomic-add", space: "work-group", index: u32(0), value: lane } as const;
  code.stmts.push({ ...atomic, name: "before", array: "counted" });
  code.store(out, lane, plus(load("work-group", "loaded", "u32", 0), 1));
  const module = moduleOf(code.stmts);
  const kernels = module.kernels.map((kernel) => ({ ...kernel, shared }));
  const [kernel] = prune({ ...module, kernels }).kernels;
  expect(kernel?.shared.map(({ name }) => name)).toEqual(["loaded", "counted"]);
  const stores = walk(kernel?.body ?? []).flatMap((stmt) =>
    stmt.kind === "store" ? [`${stmt.space} ${stmt.array}`] : [],
  );
  expect(stores).toEqual(["work-group loaded", "work-group counted", "storage unread", "storage out"]);
});

it("names of what others may see, and of calls of routines with effects, stay unread", () => {
  const routine = { ...call("routine", "u32", [lane]), routine: true } as const;
  const stmts: readonly Stmt[] = [
    { kind: "uniform-load", name: "uniform", array: "sums", type: "u32", index: u32(0) },
    { kind: "atomic-load", name: "word", array: "status", index: u32(0) },
    { kind: "let", name: "called", value: routine },
    { kind: "call", name: "named", fn: "routine", args: [lane], type: "u32", width: 2, named: true },
    { kind: "call", name: "pair", fn: "routine", args: [lane], type: "u32", width: 2 },
    { kind: "let", name: "computed", value: call("routine", "u32", [lane]) },
    { kind: "let", name: "sum", value: plus(lane, 1) },
    { kind: "load-row", name: "row", array: "x", type: "u32", index: u32(0) },
  ];
  const names = (pure: readonly string[]): readonly unknown[] =>
    pruned({ body: stmts }, new Set(pure)).body.map((stmt) => "name" in stmt && stmt.name);
  expect(names([])).toEqual(["uniform", "word", "called", "named"]);
  expect(names(["other"])).toEqual(["uniform", "word", "called", "named"]);
  expect(names(["routine"])).toEqual(["uniform", "word"]);
});

describe("a loop", () => {
  const loop = (from: Expr, below: Expr): number => {
    const stmts = stmtsOf((code) => code.for("i", from, below, (body, i) => body.store(out, i, i)));
    return prune(moduleOf(stmts)).kernels[0]?.body.length ?? 0;
  };
  it("goes if its bounds are constants between which nothing is", () => {
    expect([loop(u32(3), u32(2)), loop(u32(2), u32(2)), loop(u32(2), u32(3))]).toEqual([0, 0, 1]);
    expect([loop(u32(2), lane), loop(lane, u32(2))]).toEqual([1, 1]);
  });
  it("whose blocks are empty goes", () => {
    const code = new Code(new Names());
    code.while(lt(lane, u32(3)), (body) => body.let("x", lane));
    code.if(
      lt(lane, u32(3)),
      (then) => then.let("x", lane),
      (other) => other.store(out, lane, lane),
    );
    expect(prune(moduleOf(code.stmts)).kernels[0]?.body.map(({ kind }) => kind)).toEqual(["if"]);
  });
});

it("a work-group function of a variable gives it a new value, and both blocks of a choice are pruned", () => {
  const x: VarExpr = { kind: "var", name: "x", type: "u32" };
  const unread: Stmt = { kind: "let", name: "unread", value: lane };
  const own = { kind: "native", name: "x", fn: "reduce", op: "add", value: x, source: undefined } as const;
  const choice = { kind: "choice", feature: "vectors" } as const;
  const body: readonly Stmt[] = [
    { kind: "var", name: "x", value: lane },
    { ...choice, native: [own], portable: [unread, { kind: "assign", name: "x", value: u32(1) }] },
    { ...choice, native: [unread], portable: [] },
    own,
    { kind: "return", values: [x] },
    own,
  ];
  const left = pruned({ body }).body;
  expect(left.map(({ kind }) => kind)).toEqual(["var", "choice", "native", "return"]);
  expect(left[1]).toMatchObject({ native: [own], portable: [{ kind: "assign" }] });
});

it("functions are pruned, and nothing before a return is needed after it", () => {
  const x: VarExpr = { kind: "var", name: "x", type: "u32" };
  const body: readonly Stmt[] = [
    { kind: "var", name: "x", value: lane },
    { kind: "let", name: "unread", value: x },
    { kind: "assign", name: "x", value: u32(1) },
    { kind: "return", values: [u32(2)] },
    { kind: "return", values: [x] },
  ];
  const fn: Fn = { name: "f", doc: "", params: [], returns: "u32", width: 1, body };
  const [left] = prune(moduleOf([], [fn])).functions;
  expect(left?.body.map(({ kind }) => kind)).toEqual(["return", "return"]);
});

describe("an assignment", () => {
  it("of a variable to itself is removed", () => {
    const names = left((code) => {
      const x = code.var("x", u32(0));
      const y = code.var("y", u32(1));
      code.assign(x, x);
      code.store(out, lane, x);
      code.assign(y, x);
      code.store(out, lane, y);
    });
    expect(names).toEqual(["var x", "var y", "y = …"]);
  });

  it("is removed if another one comes before each read, and stays if the next iteration reads it", () => {
    const names = left((code) => {
      const x = code.var("x", u32(0));
      const y = code.var("y", u32(0));
      code.for("i", u32(0), u32(4), (body) => {
        body.store(out, lane, y);
        body.assign(x, u32(1));
        body.assign(x, u32(2));
        body.store(out, lane, x);
        body.assign(x, u32(3));
        body.assign(y, u32(4));
      });
    });
    expect(names).toEqual(["var x", "var y", "x = 2", "y = 4"]);
  });

  it("stays if the loop's condition or what follows the loop reads it", () => {
    const names = left((code) => {
      const x = code.var("x", u32(0));
      const y = code.var("y", u32(0));
      const only = code.var("only", u32(0));
      code.while(lt(x, u32(3)), (body) => {
        body.assign(only, plus(only, 1));
        body.assign(y, x);
        body.assign(x, plus(x, 1));
      });
      code.store(out, lane, y);
    });
    expect(names).toEqual(["var x", "var y", "y = …", "x = …"]);
  });

  it("stays if one branch does not replace it", () => {
    const names = left((code) => {
      const x = code.var("x", u32(0));
      code.assign(x, u32(1));
      code.if(lt(lane, u32(2)), (then) => then.assign(x, u32(2)));
      code.store(out, lane, x);
      code.assign(x, u32(3));
      code.if(
        lt(lane, u32(2)),
        (then) => then.assign(x, u32(4)),
        (other) => other.assign(x, u32(5)),
      );
      code.store(out, lane, x);
    });
    expect(names).toEqual(["var x", "x = 1", "x = 2", "x = 4", "x = 5"]);
  });
});

it("a name goes that no statement reads, although a later loop has an index of that name", () => {
  const code = new Code(new Names());
  code.for("place", u32(0), u32(4), (body, place) => body.let("i", plus(place, 1)));
  code.for("i", u32(0), u32(4), (body, i) => body.store(out, lane, i));
  const [kernel] = prune(moduleOf(code.stmts)).kernels;
  expect(kernel?.body.map((stmt) => "name" in stmt && stmt.name)).toEqual(["i"]);
});

it("loops that never run, and arrays that nothing reads afterwards, are removed", () => {
  const names = left((code) => {
    const unread = code.array("unread", "u32", 2);
    code.for("i", u32(2), u32(2), (body) => body.store(unread, u32(0), lane));
    code.store(unread, u32(1), lane);
  });
  expect(names).toEqual([]);
});

type Make = (code: Code, at: At) => void;
/** What a random statement may name. */
interface At {
  readonly names: readonly Expr[];
  readonly depth: number;
}
const VARS: readonly VarExpr[] = ["a", "b", "c"].map((name) => ({ kind: "var", name, type: "u32" }));
const own = { space: "private", name: "own", type: "u32" } as const;
const inOwn = (index: Expr): Expr => binary("and", index, u32(1));

type Value = (at: At) => Expr;
const values: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.nat(5).map(
      (k): Value =>
        () =>
          u32(k),
    ),
    fc.nat(8).map(
      (k): Value =>
        ({ names }) =>
          names[k % names.length] as Expr,
    ),
    fc.tuple(tie("value"), tie("value")).map(
      ([a, b]): Value =>
        (at) =>
          add(a(at), b(at)),
    ),
    tie("value").map(
      (a): Value =>
        (at) =>
          load("private", "own", "u32", inOwn(a(at))),
    ),
    fc.tuple(tie("value"), tie("value")).map(
      ([a, b]): Value =>
        (at) =>
          call("early", "u32", [a(at), b(at)]),
    ),
    fc.tuple(tie("value"), tie("value"), tie("value")).map(
      ([a, b, c]): Value =>
        (at) =>
          select(lt(a(at), b(at)), b(at), c(at)),
    ),
  ),
})).value;

const makes: fc.Arbitrary<Make> = fc.letrec<{ make: Make; block: Make }>((tie) => ({
  block: fc.array(tie("make"), { maxLength: 5 }).map(
    (all): Make =>
      (code, at) => {
        for (const make of all) make(code, at);
      },
  ),
  make: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.tuple(fc.constantFrom(...VARS), values).map(
      ([x, value]): Make =>
        (code, at) =>
          code.assign(x, value(at)),
    ),
    fc.tuple(values, values).map(
      ([i, value]): Make =>
        (code, at) =>
          code.store(own, inOwn(i(at)), value(at)),
    ),
    values.map(
      (value): Make =>
        (code, at) =>
          code.store(out, lane, value(at)),
    ),
    values.map(
      (value): Make =>
        (code, at) => {
          code.stmts.push({
            ...{ kind: "atomic", op: "add", space: "work-group", array: "sums" },
            ...{ index: u32(0), value: value(at) },
          });
        },
    ),
    fc.tuple(values, tie("block")).map(
      ([value, block]): Make =>
        (code, at) => {
          const x = code.var("x", value(at));
          block(code, { ...at, names: [...at.names, x] });
          code.assign(x, add(x, value(at)));
          code.store(out, lane, x);
        },
    ),
    fc.tuple(values, tie("block"), tie("block")).map(
      ([value, then, otherwise]): Make =>
        (code, at) =>
          code.if(
            lt(value(at), u32(3)),
            (inner) => then(inner, at),
            (inner) => otherwise(inner, at),
          ),
    ),
    tie("block").map(
      (block): Make =>
        (code, at) => {
          if (at.depth > 3) return;
          code.for("i", u32(0), u32(3), (inner, i) =>
            block(inner, { names: [...at.names, i], depth: at.depth + 1 }),
          );
        },
    ),
    tie("block").map(
      (block): Make =>
        (code, at) => {
          if (at.depth > 3) return;
          const rest = code.var("rest", u32(3));
          code.while(lt(u32(0), rest), (inner) => {
            inner.assign(rest, binary("sub", rest, u32(1)));
            block(inner, { names: [...at.names, rest], depth: at.depth + 1 });
          });
        },
    ),
  ),
})).block;

/** Returns in a branch, after statements that only the other way reads. */
const EARLY: Fn = (() => {
  const code = new Code(new Names());
  const [p, q] = ["p", "q"].map((name): VarExpr => ({ kind: "var", name, type: "u32" })) as [
    VarExpr,
    VarExpr,
  ];
  const x = code.var("x", p);
  code.assign(x, add(x, q));
  code.if(lt(p, q), (then) => then.stmts.push({ kind: "return", values: [p] }));
  code.stmts.push({ kind: "return", values: [x] });
  const params = [p, q].map(({ name, type }) => ({ name, type }));
  return { name: "early", doc: "", params, returns: "u32", width: 1, body: code.stmts };
})();

/** What a work-group leaves in memory. */
function ran({ kernels, functions }: Module): unknown {
  const storage = { out: Array<number>(LANES + 1).fill(0) };
  for (const kernel of kernels) runGroup(kernel, { size: LANES, storage, functions });
  return storage.out;
}

test("pruned kernels leave the same in memory, and pruning them again removes nothing", () =>
  fc.property(makes, (make) => {
    const code = new Code(new Names(["a", "b", "c", "own"]));
    for (const { name } of VARS) code.stmts.push({ kind: "var", name, value: lane });
    code.stmts.push({ kind: "array", name: "own", type: "u32", length: 2 });
    code.if(binary("eq", lane, u32(0)), (first) =>
      first.store({ space: "work-group", name: "sums", type: "u32" }, u32(0), u32(0)),
    );
    code.barrier();
    make(code, { names: [lane, ...VARS], depth: 0 });
    code.barrier();
    code.store(out, u32(LANES), load("work-group", "sums", "u32", u32(0)));
    const module = moduleOf(code.stmts, [EARLY]);
    const once = prune(module);
    expect(ran(once)).toEqual(ran(module));
    expect(prune(once)).toEqual(once);
  }));
