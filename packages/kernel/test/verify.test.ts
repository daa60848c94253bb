import { describe, expect, it } from "vitest";
import type { Code } from "../src/language/build.ts";
import type { Expr, PartExpr } from "../src/language/expr.ts";
import { add, binary, builtin, call, constant, load, lt, param, u32 } from "../src/language/make-expr.ts";
import type { Fn, Kernel, Module } from "../src/language/module.ts";
import type { Stmt } from "../src/language/stmt.ts";
import { verify } from "../src/language/verify.ts";
import { bufferWith, kernelWith, moduleWith, stmtsOf } from "./modules.ts";

const lane = builtin("local-id");
const group = builtin("group-id");
const n = param("n", "u32");
const x = (index: Expr): Expr => load("storage", "x", "u32", index);

const arg: Expr = { kind: "var", name: "a", type: "u32" };
const fn = (name: string, returns: "u32" | "bool", ...values: readonly Expr[]): Fn => ({
  name,
  doc: name,
  params: [{ name: "a", type: "u32" }],
  returns,
  width: values.length,
  body: [{ kind: "return", values }],
});
const isSmall = fn("is_small", "bool", lt(arg, u32(4)));
const both = fn("both", "u32", arg, add(arg, u32(1)));
const read = fn("read", "bool", lt(x(arg), u32(4)));

function moduleOf(body: readonly Stmt[], more: Partial<Kernel> = {}): Module {
  const shared = [{ name: "lanes", type: "u32", length: 8 } as const];
  return moduleWith([kernelWith(body, { workGroupSize: 8, shared, ...more })], {
    params: [{ name: "n", type: "u32", role: "length" }],
    buffers: [bufferWith("x", "input"), bufferWith("y", "output")],
    functions: [isSmall, both, read],
  });
}

const shared = { space: "work-group", name: "lanes", type: "u32" } as const;
const output = { space: "storage", name: "y", type: "u32" } as const;
const barrier: Stmt = { kind: "barrier" };

const good: Record<string, readonly Stmt[]> = {
  "a barrier for all": [barrier],
  "a shuffle-xor for all in a loop over the subgroup": stmtsOf((c) =>
    c.for("r", u32(0), builtin("subgroup-size"), (body, r) => {
      body.intrinsic("shuffle-xor", "theirs", [u32(1), binary("shl", u32(1), r)]);
    }),
  ),
  "a choice with a barrier in its portable part": stmtsOf((c) => {
    const v = c.var("v", u32(0));
    c.choice(
      "common-operators",
      (native) => native.native(v, { fn: "broadcast", op: undefined, value: lane, source: u32(3) }),
      (portable) => portable.barrier(),
    );
  }),
  "a barrier under a condition on the group": stmtsOf((c) => c.if(lt(group, n), (then) => then.barrier())),
  "a barrier under what a function makes of the group": stmtsOf((c) => {
    c.if(call("is_small", "bool", [group]), (then) => then.barrier());
    const [first] = c.call("both", both, [n]);
    c.if(lt(first as Expr, u32(4)), (then) => then.barrier());
  }),
  "a barrier in a loop of known length": stmtsOf((c) => c.for("r", u32(0), u32(3), (body) => body.barrier())),
  "an index that a condition bounds": stmtsOf((c) => {
    const at = c.let("at", x(lane));
    c.if(lt(at, u32(8)), (then) => then.store(shared, at, u32(1)));
    c.if(lt(at, binary("min", n, u32(4))), (then) => then.store(shared, binary("shl", at, u32(1)), u32(1)));
  }),
  "words that others may write, as a row": stmtsOf((c) => {
    const row = { index: u32(2), width: 2, condition: lt(lane, u32(4)) } as const;
    for (const word of c.atomicLoadRow("now", "y", row)) c.store(output, lane, word);
  }),
  "an atomic on work-group memory": stmtsOf((c) => c.atomic("max", shared, lane, u32(1))),
  "a shuffle-xor with a sibling": stmtsOf((c) => {
    c.for("r", u32(0), u32(3), (body, r) => {
      body.store(shared, lane, u32(1));
      body.let(
        "theirs",
        body.load(shared, binary("xor", lane, binary("and", binary("shl", u32(1), r), u32(7)))),
      );
    });
  }),
};

const shuffleXor = (c: Code, bit: Expr): void => {
  c.intrinsic("shuffle-xor", "theirs", [u32(1), bit]);
};

const bad: Record<string, { body: readonly Stmt[]; reason: string }> = {
  "an index that a condition bounds too far": {
    body: stmtsOf((c) => {
      const at = c.let("at", x(lane));
      c.if(lt(at, u32(9)), (then) => then.store(shared, at, u32(1)));
    }),
    reason: "is between 0 and 8",
  },
  "an index where the condition does not hold": {
    body: stmtsOf((c) => {
      const at = c.let("at", x(lane));
      c.if(
        lt(at, u32(8)),
        () => {},
        (otherwise) => otherwise.store(shared, at, u32(1)),
      );
    }),
    reason: "is between 0 and 4294967295",
  },
  "an index behind the condition": {
    body: stmtsOf((c) => {
      const at = c.let("at", x(lane));
      c.if(lt(at, u32(4)), (then) => then.store(shared, at, u32(1)));
      c.store(shared, at, u32(1));
    }),
    reason: "is between 0 and 4294967295",
  },
  "an index that changes after its condition": {
    body: stmtsOf((c) => {
      const at = c.var("at", u32(0));
      c.if(lt(at, u32(8)), (then) => {
        then.assign(at, u32(9));
        then.store(shared, at, u32(1));
      });
    }),
    reason: "is between 0 and 4294967295",
  },
  "a row of words under a number": {
    body: stmtsOf((c) => {
      c.atomicLoadRow("now", "y", { index: u32(0), width: 2, condition: lane });
    }),
    reason: "a condition is bool, and gets u32",
  },
  "the third word of a row of two": {
    body: stmtsOf((c) => {
      const [first] = c.atomicLoadRow("now", "y", { index: u32(0), width: 2, condition: lt(lane, n) });
      c.store(output, lane, { ...(first as PartExpr), index: 2 });
    }),
    reason: "has no result 2 of u32",
  },
  "a barrier under a word of a row": {
    body: stmtsOf((c) => {
      const [first] = c.atomicLoadRow("now", "y", { index: u32(0), width: 4, condition: lt(group, n) });
      c.if(lt(first as Expr, n), (then) => then.barrier());
    }),
    reason: "not reached by every work-item",
  },
  "an atomic outside of work-group memory": {
    body: stmtsOf((c) => c.atomic("add", shared, add(lane, u32(1)), u32(1))),
    reason: "is between 1 and 8",
  },
  "a barrier for some lanes": {
    body: stmtsOf((c) => c.if(lt(lane, u32(4)), (then) => then.barrier())),
    reason: "not reached by every work-item",
  },
  "a shuffle-xor for some lanes": {
    body: stmtsOf((c) => c.if(lt(lane, u32(4)), (then) => shuffleXor(then, u32(1)))),
    reason: "not reached by every work-item",
  },
  "a barrier for some subgroups": {
    body: stmtsOf((c) => c.ifBelow(lane, 32, (then) => then.barrier())),
    reason: "not reached by every work-item",
  },
  "a shuffle-xor for some lanes of a subgroup": {
    body: stmtsOf((c) =>
      c.ifBelow(lane, 32, (first) => first.if(lt(lane, u32(4)), (then) => shuffleXor(then, u32(1)))),
    ),
    reason: "not reached by every work-item",
  },
  "a reduction of floats by lanes": {
    body: stmtsOf((c) => {
      c.intrinsic("reduce-lanes", "total", [constant("f32", 1)], "add");
    }),
    reason: "a reduce-lanes by add is u32, and gets f32",
  },
  "a reduction by some lanes": {
    body: stmtsOf((c) =>
      c.if(lt(lane, u32(4)), (then) => {
        then.intrinsic("reduce-lanes", "total", [lane], "add");
      }),
    ),
    reason: "not reached by every work-item",
  },
  "a shuffle-xor by bits that differ": {
    body: stmtsOf((c) => shuffleXor(c, lane)),
    reason: "is not uniform",
  },
  "a work-group function for some lanes": {
    body: stmtsOf((c) => {
      const v = c.var("v", u32(0));
      c.if(lt(lane, u32(4)), (then) =>
        then.choice(
          "common-operators",
          (native) => native.native(v, { fn: "reduce", op: "add", value: u32(1), source: undefined }),
          () => {},
        ),
      );
    }),
    reason: "not reached by every work-item",
  },
  "a work-group function for a sum whose order matters": {
    body: stmtsOf((c) => {
      const v = c.var("v", constant("f32", 0));
      c.native(v, { fn: "reduce", op: "add", value: constant("f32", 1), source: undefined });
    }),
    reason: "is not defined",
  },
  "a barrier under a value from memory": {
    body: stmtsOf((c) => c.if(lt(x(u32(0)), n), (then) => then.barrier())),
    reason: "not reached by every work-item",
  },
  "a barrier under a variable": {
    body: stmtsOf((c) => {
      const v = c.var("v", u32(0));
      c.if(lt(v, n), (then) => then.barrier());
    }),
    reason: "not reached by every work-item",
  },
  "a barrier under what a function makes of the lane": {
    body: stmtsOf((c) => c.if(call("is_small", "bool", [lane]), (then) => then.barrier())),
    reason: "not reached by every work-item",
  },
  "a barrier under the second result of a function of the lane": {
    body: stmtsOf((c) => {
      const [, second] = c.call("both", both, [lane]);
      c.if(lt(second as Expr, u32(4)), (then) => then.barrier());
    }),
    reason: "not reached by every work-item",
  },
  "a barrier under a function that reads memory": {
    body: stmtsOf((c) => c.if(call("read", "bool", [u32(0)]), (then) => then.barrier())),
    reason: "not reached by every work-item",
  },
  "a barrier in a loop that lanes leave one by one": {
    body: stmtsOf((c) => c.for("r", u32(0), lane, (body) => body.barrier())),
    reason: "not reached by every work-item",
  },
  "an index past the work-group's array": {
    body: stmtsOf((c) => c.store(shared, add(lane, u32(1)), u32(0))),
    reason: "is between 1 and 8",
  },
  "an index that may wrap": {
    body: stmtsOf((c) => c.store(shared, binary("sub", lane, u32(1)), u32(0))),
    reason: "an index of lanes",
  },
  "a name from another block": {
    body: stmtsOf((c) => {
      let inside: Expr = u32(0);
      c.if(lt(lane, n), (then) => {
        inside = then.let("v", lane);
        then.store(output, lane, inside);
      });
      c.store(output, lane, inside);
    }),
    reason: "outside of its block",
  },
  "an input that is written": {
    body: stmtsOf((c) => c.store({ ...output, name: "x" }, lane, u32(0))),
    reason: "input x is written",
  },
  "an array that is not there": {
    body: stmtsOf((c) => c.store({ ...output, name: "z" }, lane, u32(0))),
    reason: "no array z",
  },
  "a value of another type": {
    body: stmtsOf((c) => c.store(output, lane, { kind: "const", type: "f32", value: 1 })),
    reason: "y holds u32, not f32",
  },
  "a let that is assigned": {
    body: stmtsOf((c) => c.assign(c.let("v", u32(0)), u32(1))),
    reason: "cannot be assigned",
  },
  "a constant that is none": {
    body: stmtsOf((c) => c.store(output, lane, { kind: "const", type: "u32", value: -1 })),
    reason: "not a constant of u32",
  },
  "a parameter that is not there": {
    body: stmtsOf((c) => c.store(output, lane, param("m", "u32"))),
    reason: "no parameter m",
  },
  "a function that is not there": {
    body: stmtsOf((c) => c.store(output, lane, { kind: "call", fn: "f", type: "u32", args: [] })),
    reason: "no function f",
  },
  "an operator of another type": {
    body: stmtsOf((c) =>
      c.store(output, lane, binary("and", { kind: "const", type: "f32", value: 1 }, u32(1))),
    ),
    reason: "and is applied to f32",
  },
};

describe("verify", () => {
  it.each(Object.entries(good))("accepts %s", (_, body) => {
    expect(() => verify(moduleOf(body))).not.toThrow();
  });

  it.each(Object.entries(bad))("refuses %s", (_, { body, reason }) => {
    expect(() => verify(moduleOf(body))).toThrow(
      expect.objectContaining({ code: "bad-kernel", message: expect.stringContaining(reason) }),
    );
  });
});
