import { describe, expect, it } from "vitest";
import * as table from "../src/functions/digits/coefficients.ts";
import { distance, interpolated } from "./interpolation.ts";
import { SERIES } from "./series.ts";

const { ERF, ERF_FAR, ...named } = table;
const TABLE: Readonly<Record<string, readonly bigint[]>> = {
  ...named,
  ...Object.fromEntries([...ERF, ...ERF_FAR].map((piece, i) => [`ERF_${i + 1}`, piece])),
};

describe("coefficients", () => {
  it("are of all series", () => expect(Object.keys(TABLE).sort()).toEqual(Object.keys(SERIES).sort()));
  it.each(Object.entries(SERIES))("of %s are those of the interpolation, within 2^-62", (name, series) => {
    const coefficients = TABLE[name] as readonly bigint[];
    expect(coefficients).toEqual(interpolated(series));
    expect(distance(series, coefficients, 50)).toBeLessThan(-62);
  });
});
