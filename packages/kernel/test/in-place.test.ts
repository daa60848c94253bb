/** The rule for outputs in inputs' arrays, on kernels written by hand; runtimes try what lowerings write. */
import { describe, expect, it } from "vitest";
import type { Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { add, binary, builtin, load, lt, mul, sub, u32 } from "../src/language/make-expr.ts";
import type { Buffer, Kernel } from "../src/language/module.ts";
import { allExprs } from "../src/language/walk.ts";
import { inPlaceProblem, mergeArrays } from "../src/passes/in-place.ts";
import { SIMT } from "./simt.ts";
import { kernel, moduleOf, X, Y } from "./two-arrays.ts";

const x = (index: Expr): Expr => load("storage", "x", "u32", index);
const lane = builtin("local-id");
const eight = u32(8);

const problem = (...kernels: Kernel[]): string | undefined =>
  inPlaceProblem(moduleOf(...kernels), { y: "x" }, { execution: "simt" })?.reason;

const writes = (code: Code): void => code.store(Y, lane, u32(1));

describe("an output may use the array of an input", () => {
  it.each<[string, Kernel[]]>([
    ["read and written at one place", [kernel("k", (code) => code.store(Y, lane, x(lane)))]],
    [
      "through other names of the place",
      [
        kernel("k", (code) => {
          const value = code.let("value", x(code.let("i", add(mul(lane, eight), u32(1)))));
          code.store(Y, code.let("j", add(mul(code.let("l", lane), eight), u32(1))), value);
        }),
      ],
    ],
    [
      "in two loops alike",
      [
        kernel("k", (code) => {
          const items = code.array("items", "u32", 8);
          code.for("k", u32(0), eight, (body, k) => body.store(items, k, x(add(lane, k))));
          code.for("k", u32(0), eight, (body, k) => body.store(Y, add(lane, k), body.load(items, k)));
        }),
      ],
    ],
    [
      "in rows alike, and in a pass of other items",
      [
        kernel("rows", (code) =>
          code.storeRow(Y, mul(lane, u32(4)), code.loadRow("row", X, mul(lane, u32(4)))),
        ),
        { ...kernel("tail", (code) => code.store(Y, lane, x(lane))), isIndependent: true },
      ],
    ],
    [
      "anywhere, in the passes before",
      [kernel("before", (code) => code.store(X, lane, x(sub(eight, lane)))), kernel("k", writes)],
    ],
    [
      "in passes before it is written, and not after",
      [
        kernel("before", (code) => code.let("v", x(sub(eight, lane)))),
        kernel("k", (code) => code.store(Y, lane, x(lane))),
        kernel("later", (code) => code.let("w", lane)),
      ],
    ],
    [
      "anywhere before, by the only work-item, in a loop before that of the writes",
      [
        kernel(
          "k",
          (code) => {
            code.for("k", u32(0), eight, (body, k) => body.let("v", x(sub(u32(7), k))));
            code.for("i", u32(0), eight, (body, i) => body.store(Y, i, u32(1)));
          },
          1,
        ),
      ],
    ],
    [
      "anywhere in one statement, by the only work-item",
      [kernel("k", (code) => code.store(Y, u32(0), x(u32(7))), 1)],
    ],
    ["in vectors alike", [kernel("k", (code) => code.store(Y, lane, { ...x(lane), width: 4 } as Expr))]],
    [
      "anywhere before, by the only work-item",
      [
        kernel(
          "k",
          (code) => {
            const first = code.let("first", x(u32(7)));
            code.for("i", u32(0), eight, (body, i) => body.store(Y, i, add(first, x(i))));
          },
          1,
        ),
      ],
    ],
  ])("%s", (_, kernels) => {
    expect(problem(...kernels)).toBeUndefined();
    const made = mergeArrays(moduleOf(...kernels), { capabilities: SIMT, wishes: { y: "x" } });
    if ("refused" in made) throw made.error;
    expect(made.buffers).toEqual([
      { name: "y", role: "output", type: "u32", elements: "n", cleared: false, inPlace: "x" },
    ]);
    const loads = made.kernels.flatMap(({ body }) => [...allExprs(body)].filter((e) => e.kind === "load"));
    expect(loads.some((e) => "array" in e && e.array === "x")).toBe(false);
  });

  it.each<[string, RegExp, Kernel[]]>([
    [
      "a later pass reads",
      /pass later/,
      [kernel("k", writes), kernel("later", (code) => code.let("v", x(lane)))],
    ],
    [
      "a row, and writes an element",
      /of another item/,
      [kernel("k", (code) => code.store(Y, lane, code.loadRow("row", X, lane)[0] as Expr))],
    ],
    [
      "another row",
      /of another item/,
      [
        kernel("k", (code) =>
          code.storeRow(Y, mul(lane, u32(4)), code.loadRow("row", X, mul(sub(eight, lane), u32(4)))),
        ),
      ],
    ],
    [
      "items of its own, but another's element of them",
      /of another item/,
      [
        kernel("k", writes),
        { ...kernel("tail", (code) => code.store(Y, lane, x(sub(eight, lane)))), isIndependent: true },
      ],
    ],
    [
      "another's element",
      /of another item/,
      [kernel("k", (code) => code.store(Y, lane, x(sub(eight, lane))))],
    ],
    [
      "read again after the write",
      /again/,
      [
        kernel("k", (code) => {
          code.store(Y, lane, x(lane));
          code.let("v", x(lane));
        }),
      ],
    ],
    [
      "loops whose variables change places",
      /of another item/,
      [
        kernel("k", (code) =>
          code.for("a", u32(0), eight, (outer, a) =>
            outer.for("b", u32(0), eight, (inner, b) =>
              inner.store(Y, add(mul(a, eight), b), x(add(mul(b, eight), a))),
            ),
          ),
        ),
      ],
    ],
    [
      "loops of other lengths",
      /of another item/,
      [
        kernel("k", (code) => {
          code.for("k", u32(0), u32(4), (body, k) => body.let("v", x(k)));
          code.for("k", u32(0), eight, (body, k) => body.store(Y, k, u32(1)));
        }),
      ],
    ],
    [
      "a variable that changes in between",
      /of another item/,
      [
        kernel("k", (code) => {
          const at = code.var("at", u32(0));
          const value = code.let("value", x(at));
          code.assign(at, add(at, u32(1)));
          code.store(Y, at, value);
        }),
      ],
    ],
    [
      "a variable that each round changes",
      /of another item/,
      [
        kernel("k", (code) => {
          const at = code.var("at", u32(0));
          const value = code.let("value", x(at));
          code.for("k", u32(0), eight, (body) => {
            body.store(Y, at, value);
            body.assign(at, binary("add", at, u32(1)));
          });
        }),
      ],
    ],
    [
      "a variable that each round changes, as long as a condition holds",
      /of another item/,
      [
        kernel("k", (code) => {
          const at = code.var("at", u32(0));
          const value = code.let("value", x(at));
          code.while(lt(at, eight), (body) => {
            body.store(Y, at, value);
            body.assign(at, add(at, u32(1)));
          });
        }),
      ],
    ],
    [
      "a variable with the same name in another block",
      /of another item/,
      [
        kernel("k", (code) => {
          for (const by of [0, 1])
            code.for("i", u32(0), eight, (body) => {
              body.stmts.push({ kind: "var", name: "at", value: add(lane, u32(by)) });
              const at = { kind: "var", name: "at", type: "u32" } as const;
              if (by === 0) body.let("v", x(at));
              else body.store(Y, at, u32(1));
            });
        }),
      ],
    ],
    [
      "a vector, and writes an element",
      /of another item/,
      [
        kernel("k", (code) => {
          code.let("v", { ...x(lane), width: 4 } as Expr);
          writes(code);
        }),
      ],
    ],
    ...(
      [
        ["atomic changes of the output", (code) => code.atomic("add", Y, lane, u32(1))],
        ["rows of the output", (code) => code.loadRow("row", Y, u32(0))],
        ["rows in the input", (code) => code.storeRow(X, u32(0), [lane, lane, lane, lane])],
      ] as [string, (code: Code) => void][]
    ).map(([about, other]): [string, RegExp, Kernel[]] => [
      about,
      /in another way than by items/,
      [
        kernel("k", (code) => {
          writes(code);
          other(code);
        }),
      ],
    ]),
    [
      "the only work-item, which reads and then writes in rounds",
      /of another item/,
      [
        kernel(
          "k",
          (code) =>
            code.for("i", u32(0), eight, (body, i) => {
              const value = body.let("v", x(u32(7)));
              body.store(Y, i, value);
            }),
          1,
        ),
      ],
    ],
    [
      "the only work-item, which reads between writes",
      /of another item/,
      [
        kernel(
          "k",
          (code) => {
            code.store(Y, u32(0), u32(1));
            const value = code.let("v", x(u32(7)));
            code.store(Y, u32(1), value);
          },
          1,
        ),
      ],
    ],
    [
      "an element that is written, read and written",
      /again/,
      [
        kernel("k", (code) => {
          code.store(Y, lane, u32(1));
          const value = code.let("v", x(lane));
          code.store(Y, lane, value);
        }),
      ],
    ],
    [
      "the only work-item, in rounds",
      /of another item/,
      [kernel("k", (code) => code.for("i", u32(0), eight, (body, i) => body.store(Y, i, x(u32(7)))), 1)],
    ],
  ])("but not if there is %s", (_, reason, kernels) => {
    expect(problem(...kernels)).toMatch(reason);
  });
});

describe("arrays that cannot be one", () => {
  const taken = kernel("k", (code) => code.store(Y, lane, x(lane)));
  const changed = (more: Partial<Buffer>, wishes: Readonly<Record<string, string>> = { y: "x" }) => {
    const module = moduleOf(taken);
    const buffers = module.buffers.map((buffer) => (buffer.name === "y" ? { ...buffer, ...more } : buffer));
    return mergeArrays({ ...module, buffers }, { capabilities: SIMT, wishes });
  };
  it.each<[string, Partial<Buffer>, Readonly<Record<string, string>>, RegExp]>([
    ["no output", {}, { z: "x" }, /no such output/],
    ["no input", {}, { y: "z" }, /no such input/],
    ["an input for an output", {}, { x: "y" }, /no such output/],
    ["another type", { type: "i32" }, { y: "x" }, /types differ/],
    ["another form in memory", { memory: "f16" }, { y: "x" }, /forms in memory/],
    ["slots that items compute", { scatter: true }, { y: "x" }, /scatter/],
    ["another number of elements", { elements: 1 }, { y: "x" }, /one element for each item/],
    ["an input of another output", {}, { y: "x", z: "x" }, /another output already uses it/],
  ])("%s", (_, more, wishes, reason) => {
    // The other output is there, too.
    const made = wishes.z === "x" && wishes.y ? two(wishes) : changed(more, wishes);
    expect("refused" in made && made.refused).toMatch(reason);
    expect("refused" in made && made.error).toMatchObject({ code: "in-place-refused" });
  });

  const two = (wishes: Readonly<Record<string, string>>) => {
    const module = moduleOf(taken);
    const z: Buffer = { name: "z", role: "output", type: "u32", elements: "n", cleared: false };
    return mergeArrays({ ...module, buffers: [...module.buffers, z] }, { capabilities: SIMT, wishes });
  };

  it("on a target whose passes make arrays", () => {
    const per = { execution: "per-output" } as const;
    expect(inPlaceProblem(moduleOf(taken), { y: "x" }, per)?.reason).toContain("new array");
    expect(inPlaceProblem(moduleOf(taken), {}, per)).toBeUndefined();
  });

  it("read anywhere by one of several work-items", () => {
    const reads = (code: Code): void => {
      const first = code.let("first", x(u32(7)));
      code.store(Y, u32(0), first);
    };
    expect(problem(kernel("k", reads, 1))).toBeUndefined();
    expect(problem({ ...kernel("k", reads, 1), groups: "n" })).toMatch(/of another item/);
  });

  it("but two outputs use two inputs", () => {
    const more = ["z", "w"].map(
      (name): Buffer => ({
        ...{ name, type: "u32", elements: "n", cleared: false },
        role: name === "z" ? "output" : "input",
      }),
    );
    const module = moduleOf(taken);
    const wishes = { y: "x", z: "w" };
    const made = mergeArrays(
      { ...module, buffers: [...module.buffers, ...more] },
      { capabilities: SIMT, wishes },
    );
    expect(made).toMatchObject({ buffers: [{ inPlace: "x" }, { inPlace: "w" }] });
  });

  it("and kernels differ in nothing but the names of the arrays", () => {
    const of = (array: string): Kernel =>
      kernel("k", (code) => {
        const items = code.array("items", "u32", 4);
        code.store(items, u32(0), load("storage", "z", "u32", lane));
        code.store(Y, lane, add(load("storage", array, "u32", lane), code.load(items, u32(0))));
      });
    const made = mergeArrays(moduleOf(of("x")), { capabilities: SIMT, wishes: { y: "x" } });
    expect(made).toMatchObject({ kernels: [of("y")] });
  });

  it("but other arrays stay as they are, and rows move with elements", () => {
    const z: Buffer = { name: "z", role: "input", type: "u32", elements: "n", cleared: false };
    const rows = kernel("rows", (code) => {
      const other = code.loadRow("other", { ...X, name: "z" }, mul(lane, u32(4)));
      const own = code.loadRow("row", X, mul(lane, u32(4)));
      code.storeRow(Y, mul(lane, u32(4)), own.map((e, i) => add(e, other[i] as Expr)) as never);
    });
    const module = moduleOf(rows);
    const made = mergeArrays(
      { ...module, buffers: [...module.buffers, z] },
      { capabilities: SIMT, wishes: { y: "x" } },
    );
    if ("refused" in made) throw made.error;
    expect(made.buffers.map(({ name, inPlace }) => [name, inPlace])).toEqual([
      ["y", "x"],
      ["z", undefined],
    ]);
    const rowsOf = made.kernels[0]?.body.flatMap((s) => (s.kind === "load-row" ? [s.array] : []));
    expect(rowsOf).toEqual(["z", "y"]);
  });
});
