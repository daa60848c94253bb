import { describe, expect, it } from "vitest";
import { countOf, evaluate, type Formula, formula, printFormula } from "../src/base/formula.ts";

describe("formulas of n", () => {
  const tiles = formula("ceil-div", "n", 2048);
  const full = formula("floor-div", "n", 2048);

  it.each([
    [0, 0, 0],
    [1, 1, 0],
    [2047, 1, 0],
    [2048, 1, 1],
    [2049, 2, 1],
    [2 ** 33 + 1, 2 ** 22 + 1, 2 ** 22],
  ])("divide %i items into tiles", (n, up, down) => {
    expect([evaluate(tiles, n), evaluate(full, n)]).toEqual([up, down]);
  });

  it("fold constants", () => {
    expect(formula("add", 0, "n")).toBe("n");
    expect(formula("mul", "n", 1)).toBe("n");
    expect(formula("ceil-div", 7, 2)).toBe(4);
  });

  it("count things, and a single one in the singular", () => {
    expect(countOf(tiles, "work-group")).toBe("ceil(n / 2048) work-groups");
    expect([0, 1, 2].map((n) => countOf(n, "element"))).toEqual(["0 elements", "1 element", "2 elements"]);
  });

  it("know the sides of a range", () => {
    const groups = formula("mul", formula("ceil-div", "size_x", 8), formula("ceil-div", "size_y", 4));
    expect(printFormula(groups)).toBe("(ceil(size_x / 8) * ceil(size_y / 4))");
    expect(evaluate(groups, [17, 8])).toBe(6);
    expect(evaluate(groups, [0, 8])).toBe(0);
    expect(evaluate("n", [17, 8, 2])).toBe(272);
    expect(evaluate("size_z", [17, 8, 2])).toBe(2);
    expect([evaluate("n", [5]), evaluate("n", 5), evaluate("size_x", 5)]).toEqual([5, 5, 5]);
  });

  it("are printed in usual notation, and survive JSON", () => {
    const both: Formula = formula("min", full, formula("add", formula("floor-div", "n", 2 ** 22), 1));
    expect(printFormula(both)).toBe("min(floor(n / 2048), (floor(n / 4194304) + 1))");
    expect(evaluate(JSON.parse(JSON.stringify(both)) as Formula, 10_000)).toBe(1);
  });
});
