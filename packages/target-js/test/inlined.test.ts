/** Values that are written where they are read: a text computes what the text with a name for each value computes, in the same order. */
import { CFamily, type Dialect, type Expr, type Stmt, spellNames, Text } from "@groupwise/core/kernel";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DIALECT } from "../src/print/spelling.ts";

const SLOTS = 3;
const u32 = (value: number): Expr => ({ kind: "const", type: "u32", value });
const variable = (name: string): Expr => ({ kind: "var", name, type: "u32" });
const add = (left: Expr, right: Expr): Expr => ({ kind: "binary", op: "add", left, right, type: "u32" });

/** Random statements: the numbers choose. */
class Maker {
  private at = 0;
  private names = 0;
  private readonly choices: readonly number[];

  constructor(choices: readonly number[]) {
    this.choices = choices;
  }

  private pick(below: number): number {
    const choice = this.choices[this.at++ % this.choices.length] as number;
    return (choice + 7 * this.at) % below;
  }

  private fresh(): string {
    return `v${this.names++}`;
  }

  private expr(known: readonly string[], depth: number = 2): Expr {
    const inner = (): Expr => this.expr(known, depth - 1);
    const load = (space: "private" | "storage", array: string): Expr => ({
      ...{ kind: "load", space, array, type: "u32" },
      index: u32(this.pick(SLOTS)),
    });
    const leaves = [
      () => u32(this.pick(50)),
      () => variable(known[this.pick(known.length)] as string),
      () => variable(known.at(-1) as string),
      () => load("private", "own"),
      () => load("storage", "all"),
    ];
    const others: (() => Expr)[] = [
      () => add(inner(), inner()),
      // A function in which lanes could meet: the order of its calls is seen, and whether it is called.
      () => ({ kind: "call", fn: "meet", args: [inner()], type: "u32", routine: true }),
      () => ({ kind: "call", fn: "plain", args: [inner()], type: "u32" }),
    ];
    const all = depth > 0 ? [...leaves, ...others] : leaves;
    return (all[this.pick(all.length)] as () => Expr)();
  }

  block(outside: readonly string[], outsideVars: readonly string[], depth: number): Stmt[] {
    const known = [...outside];
    const vars = [...outsideVars];
    const named = (kind: "let" | "var"): Stmt => {
      const value = this.expr(known);
      const name = this.fresh();
      known.push(name);
      if (kind === "var") vars.push(name);
      return { kind, name, value };
    };
    const store = (space: "private" | "storage", array: string): Stmt => ({
      ...{ kind: "store", space, array, index: u32(this.pick(SLOTS)) },
      value: this.expr(known),
    });
    const kinds: (() => Stmt)[] = [
      () => named("let"),
      () => named("let"),
      () => named("let"),
      () => named("var"),
      () => ({ kind: "assign", name: vars[this.pick(vars.length)] as string, value: this.expr(known) }),
      () => store("private", "own"),
      () => store("storage", "all"),
      () => ({ kind: "if", condition: this.condition(known), ...this.ways(known, vars, depth) }),
      () => ({
        ...{ kind: "for", name: this.fresh(), from: u32(0), below: u32(2), step: 1 },
        body: this.block(known, vars, depth - 1),
      }),
    ];
    const length = 1 + this.pick(7);
    return Array.from({ length }, () => (kinds[this.pick(depth > 0 ? kinds.length : 7)] as () => Stmt)());
  }

  private condition(known: readonly string[]): Expr {
    const [left, right] = [this.expr(known), this.expr(known)];
    return { kind: "binary", op: "lt", left, right, type: "bool" };
  }

  private ways(known: readonly string[], vars: readonly string[], depth: number) {
    const then = this.block(known, vars, depth - 1);
    return { then, otherwise: this.pick(2) === 0 ? [] : this.block(known, vars, depth - 1) };
  }
}

/** An array all of whose elements the next statements give. */
const OWN: readonly Stmt[] = [
  { kind: "array", name: "own", type: "u32", length: SLOTS },
  { kind: "var", name: "n", value: u32(5) },
  ...Array.from({ length: SLOTS }, (_, e): Stmt => {
    return {
      kind: "store",
      space: "private",
      array: "own",
      index: u32(e),
      value: add(variable("n"), u32(e)),
    };
  }),
];

/** Random statements after them. */
const statementsOf = (choices: readonly number[]): Stmt[] => [
  ...OWN,
  ...new Maker(choices).block(["n"], ["n"], 3),
];

function textOf(stmts: readonly Stmt[], dialect: Dialect): string {
  const text = new Text();
  new CFamily(dialect).block(text, stmts);
  return spellNames(text.toString(), () => false);
}

/** What memory holds at the end, and which calls there were. */
function run(text: string): unknown {
  const calls: number[] = [];
  const all = new Uint32Array([3, 1, 4]);
  const meet = (x: number): number => {
    // It sees memory, and changes it.
    calls.push(x, ...all);
    all[x % SLOTS] = (all[x % SLOTS] as number) + 1;
    return (x + 1) >>> 0;
  };
  const own = new Function("all", "meet", "plain", `${text}\nreturn [...own];`);
  return [own(all, meet, (x: number) => (x ^ 21) >>> 0), [...all], calls];
}

const FILLED: Dialect = {
  ...DIALECT,
  filled: (name, _, values) => `const ${name} = Uint32Array.of(${values.join(", ")});`,
};

test("a text with inlined values computes the same as one with names", () => {
  let shorter = 0;
  const choices = fc.array(fc.nat(1000), { minLength: 20, maxLength: 60 });
  fc.assert(
    fc.property(choices, (list) => {
      const stmts = statementsOf(list);
      const [named, short] = [textOf(stmts, { ...DIALECT, namesAll: true }), textOf(stmts, FILLED)];
      expect(run(short), `${named}\n${short}`).toEqual(run(named));
      if (short.split("\n").length < named.split("\n").length) shorter++;
    }),
    { numRuns: 500 },
  );
  expect(shorter).toBeGreaterThan(250);
});

/** A value that is written in another one, and the statement that changes what it reads. */
const CHANGED: Readonly<Record<string, readonly [Expr, Stmt]>> = {
  "a variable": [variable("n"), { kind: "assign", name: "n", value: u32(9) }],
  "an element": [
    { kind: "load", space: "private", array: "own", index: u32(0), type: "u32" },
    { kind: "store", space: "private", array: "own", index: u32(0), value: u32(9) },
  ],
};

test.each(Object.entries(CHANGED))(
  "a value that contains another one is written before a change of %s that this one reads",
  (_, [value, change]) => {
    const stmts: Stmt[] = [
      ...OWN,
      { kind: "let", name: "inner", value },
      { kind: "let", name: "outer", value: add(variable("inner"), u32(1)) },
      change,
      { kind: "store", space: "storage", array: "all", index: u32(0), value: variable("outer") },
    ];
    const short = textOf(stmts, FILLED);
    expect(short).not.toContain("inner");
    expect(run(short)).toEqual(run(textOf(stmts, { ...DIALECT, namesAll: true })));
  },
);
