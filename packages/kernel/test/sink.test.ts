/** Names that only one way of a choice reads are declared in that way. */

import { expect, test } from "vitest";
import type { Code } from "../src/language/build.ts";
import type { Expr } from "../src/language/expr.ts";
import { binary, builtin, load, u32 } from "../src/language/make-expr.ts";
import type { Module } from "../src/language/module.ts";
import type { Stmt } from "../src/language/stmt.ts";
import { walk } from "../src/language/walk.ts";
import { sink } from "../src/passes/sink.ts";
import { kernelWith, moduleWith, stmtsOf } from "./modules.ts";

const lane = builtin("local-id");
const plus = (x: Expr, k: number): Expr => binary("add", x, u32(k));

const moduleOf = (build: (code: Code) => void): Module =>
  moduleWith([kernelWith(stmtsOf(build), { workGroupSize: 8 })]);

/** The place of each name after sinking: names, and the ways of choices. */
function placesOf(build: (code: Code) => void): unknown[] {
  const module = moduleOf(build);
  const places = (block: readonly Stmt[]): unknown[] =>
    block.map((stmt) => {
      if (stmt.kind === "choice") return { native: places(stmt.native), portable: places(stmt.portable) };
      if (stmt.kind === "for") return { for: places(stmt.body) };
      return `${stmt.kind} ${"name" in stmt ? stmt.name : ""}`;
    });
  return places(sink(module).kernels[0]?.body ?? []);
}

test("a name that only one branch reads moves there, after the names that it reads", () => {
  const places = placesOf((code) => {
    const width = code.let("width", plus(lane, 1));
    const near = code.let("near", plus(width, 1));
    const found = code.var("found", u32(0));
    code.choice(
      "common-operators",
      (inner) => inner.assign(found, u32(1)),
      (inner) => inner.assign(found, near),
    );
  });
  expect(places).toEqual([
    "var found",
    { native: ["assign found"], portable: ["let width", "let near", "assign found"] },
  ]);
});

test("it moves through loops and other branches, to every branch that reads it", () => {
  const places = placesOf((code) => {
    const near = code.let("near", plus(lane, 1));
    const found = code.var("found", u32(0));
    const read = (inner: Code): void => inner.assign(found, near);
    const pass = (inner: Code): void => inner.assign(found, u32(1));
    code.for("i", u32(0), u32(2), (inner) => inner.choice("common-operators", pass, read));
    code.choice("common-operators", (inner) => inner.choice("other-operators", pass, read), pass);
  });
  const moved = ["let near", "assign found"];
  expect(places).toEqual([
    "var found",
    { for: [{ native: ["assign found"], portable: moved }] },
    { native: [{ native: ["assign found"], portable: moved }], portable: ["assign found"] },
  ]);
});

test.each<[string, (code: Code, found: Expr & { kind: "var" }) => void]>([
  [
    "both ways read it",
    (code, found) => {
      const near = code.let("near", plus(lane, 1));
      const read = (inner: Code): void => inner.assign(found, near);
      code.choice("common-operators", read, read);
    },
  ],
  [
    "it is read behind the choice",
    (code, found) => {
      const near = code.let("near", plus(lane, 1));
      code.choice(
        "common-operators",
        (inner) => inner.assign(found, u32(1)),
        (inner) => inner.assign(found, near),
      );
      code.assign(found, near);
    },
  ],
  [
    "its value changes",
    (code, found) => {
      const near = code.let("near", plus(found, 1));
      code.assign(found, u32(7));
      code.choice(
        "common-operators",
        (inner) => inner.assign(found, u32(1)),
        (inner) => inner.assign(found, near),
      );
    },
  ],
  [
    "it is a part of a row",
    (code, found) => {
      const near = code.let(
        "near",
        code.loadRow("row", { space: "storage", name: "x", type: "u32" }, 0)[0] as Expr,
      );
      code.choice(
        "common-operators",
        (inner) => inner.assign(found, u32(1)),
        (inner) => inner.assign(found, near),
      );
    },
  ],
  [
    "its value is loaded, as what is loaded may change",
    (code, found) => {
      const near = code.let("near", load("storage", "x", "u32", lane));
      code.choice(
        "common-operators",
        (inner) => inner.assign(found, u32(1)),
        (inner) => inner.assign(found, near),
      );
    },
  ],
])("it stays if %s", (_, build) => {
  const places = placesOf((code) => build(code, code.var("found", u32(0))));
  expect(places.filter((place) => place !== "load-row row").slice(0, 2)).toEqual(["var found", "let near"]);
});

test("what it reads stays before the choice if the other branch reads that too", () => {
  const places = placesOf((code) => {
    const width = code.let("width", plus(lane, 1));
    const near = code.let("near", plus(width, 1));
    const found = code.var("found", u32(0));
    code.choice(
      "common-operators",
      (inner) => inner.assign(found, width),
      (inner) => inner.assign(found, near),
    );
  });
  expect(places).toEqual([
    "let width",
    "var found",
    { native: ["assign found"], portable: ["let near", "assign found"] },
  ]);
});

test("a name moves once into a branch, whoever reads it there", () => {
  const places = placesOf((code) => {
    const width = code.let("width", plus(lane, 1));
    const [near, far] = [code.let("near", plus(width, 1)), code.let("far", plus(width, 2))];
    const found = code.var("found", u32(0));
    const pass = (inner: Code): void => inner.assign(found, u32(1));
    code.choice("common-operators", pass, (inner) => {
      inner.choice("other-operators", pass, (most) => most.assign(found, near));
      inner.assign(found, binary("add", near, far));
    });
  });
  expect(places).toEqual([
    "var found",
    {
      native: ["assign found"],
      portable: [
        ...["let width", "let near", "let far"],
        { native: ["assign found"], portable: ["assign found"] },
        "assign found",
      ],
    },
  ]);
});

test("statements change their places and nothing else", () => {
  const module = moduleOf((code) => {
    const near = code.let("near", plus(lane, 1));
    const found = code.var("found", u32(5));
    code.choice(
      "common-operators",
      (inner) => inner.assign(found, plus(found, 2)),
      (inner) => inner.assign(found, near),
    );
    code.store({ space: "storage", name: "y", type: "u32" }, lane, found);
  });
  const plain = ({ kernels }: Module): string[] =>
    [...walk(kernels[0]?.body ?? [])]
      .flatMap((stmt) => (stmt.kind === "choice" ? [] : [JSON.stringify(stmt)]))
      .sort();
  expect(plain(sink(module))).toEqual(plain(module));
});
