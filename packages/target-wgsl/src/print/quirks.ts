/** Faults and limits of compilers of WGSL, and the workaround of the target for each. */
import type { Capabilities } from "@groupwise/core";
import type { Expansion, Quirk } from "@groupwise/core/target";

interface WgslQuirks {
  readonly minusZero: Quirk<readonly Expansion[]>;
  readonly halfLiteral: Quirk;
  readonly halfBitcast: Quirk;
  readonly shuffleXor: Quirk<NonNullable<Capabilities["shuffles"]>>;
}

/** By topic. The row of a corrected compiler remains, because users have old browsers. */
export const QUIRKS: WgslQuirks = {
  minusZero: {
    who: "Mesa",
    what: "takes a choice between 1 and -0 for a conversion of the condition, which gives +0",
    remedy: "a -0 that is an operand of a select is guarded",
    value: ["guard-minus-zero"],
  },
  halfLiteral: {
    who: "Tint",
    what: "cuts off the digits of a literal that a half cannot hold, and does not round it",
    remedy: "literals of halves have all digits",
    value: undefined,
  },
  halfBitcast: {
    who: "naga",
    what: "gives bitcasts between u32 and vec2<f16> another type",
    remedy: "the bits of halves go through f32, which is exact",
    value: undefined,
  },
  shuffleXor: {
    who: "Tint",
    what: "compares the place that each subgroupShuffleXor reads with a size of the subgroup that it computes, and selects",
    remedy: "subgroupShuffle, whose place is bounded by a minimum that compilers compute once",
    value: "by-place",
  },
};

/** A work-group of two has one round, for which no device needs a test of its subgroups. */
export const LEAST_GROUP = 3;
