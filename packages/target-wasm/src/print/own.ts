/** Functions that are instructions, which the specification defines exactly (4.3.2, 4.3.3). */

/** By the body that they replace. */
export const OWN: ReadonlyMap<string, string> = new Map([
  ...(["f32", "f64"] as const).flatMap((type) =>
    ["floor", "ceil", "trunc", "sqrt"].map((fn) => [`${fn}_of_${type}`, `${type}.${fn}`] as const),
  ),
  ["ctz_of_u32", "i32.ctz"],
  ["ctz_of_u64", "i64.ctz"],
]);
