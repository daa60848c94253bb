/** Functions that a language leaves to devices: no result is exact, and the bits tell devices apart. */
import { call } from "../language/make-expr.ts";
import { FAST_BODIES } from "../library/functions/elementary/fast.ts";
import type { ProbeRow } from "./rows.ts";

/** Rows of functions by name, without exact results. */
export const looseRows = (names: readonly string[]): readonly ProbeRow[] =>
  FAST_BODIES.filter(({ name }) => names.includes(name)).map(({ name, params }) => ({
    ...{ id: name, type: "f32", result: "f32", keys: [], remedies: [], exact: () => [] },
    of: (a, b) => call(name, "f32", [a, b].slice(0, params.length)),
  }));
