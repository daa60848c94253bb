import { describe, expect, it } from "vitest";
import { shapesOf } from "../src/shapes.ts";
import { simulate } from "../src/simulate.ts";

describe.each(shapesOf(256))("$name", (shape) => {
  const groups = simulate(shape);
  it("has every item of the range once, in groups that are no larger than asked for", () => {
    const ids = groups.flat().map(({ get_global_linear_id }) => get_global_linear_id);
    const items = shape.globalSize.reduce((a, b) => a * b, 1);
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: items }, (_, i) => i));
    for (const group of groups) {
      expect(group.map((item) => item.get_local_linear_id)).toEqual(group.map((_, i) => i));
      expect(group[0]?.get_local_size.reduce((a, b) => a * b, 1)).toBe(group.length);
    }
  });
});
