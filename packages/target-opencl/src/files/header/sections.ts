/** The sections of a header. */
import type { Scalar } from "@groupwise/core";
import type { HeaderNames, LibraryCalls } from "./names.ts";
import { doubleBits, overloads, votes } from "./parts.ts";

/** Functions of a type, for devices that have some types and lack others. */
export interface Section {
  /** The type's spelling in names, where that is not its own name. */
  readonly name?: string;
  /** Its heading, where that is not the name. */
  readonly title?: string;
  readonly has?: string;
  readonly lacks?: string;
  /** The type that callers hold values in. */
  readonly carrier?: Scalar;
  /** What follows the functions. */
  more?(names: HeaderNames, type: string, calls: LibraryCalls): readonly string[];
}

const NATIVE: Section = { more: overloads };
const LONG: Section = { has: "HAS_LONG", more: overloads };
/** A float on every device: one that returned half would meet both overloads of vstore_half_rte halfway. */
const HALF = { carrier: "f32" } as const;

export const SECTIONS: Readonly<Record<Scalar, readonly Section[]>> = {
  i32: [NATIVE],
  u32: [NATIVE],
  i64: [LONG],
  u64: [LONG],
  f16: [
    { ...HALF, has: "HAS_HALF", more: overloads },
    { ...HALF, lacks: "HAS_HALF", title: "half, computed in float" },
  ],
  f32: [NATIVE],
  f64: [
    { has: "HAS_DOUBLE", more: (...given) => [...overloads(...given), ...doubleBits(...given)] },
    {
      has: "HAS_LONG",
      lacks: "HAS_DOUBLE",
      carrier: "u64",
      name: "double_bits",
      title: "double_bits, computed in integers",
    },
  ],
  bool: [{ title: "votes", more: votes }],
};
