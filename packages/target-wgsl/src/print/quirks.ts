/** Faults and limits of compilers of WGSL, and the workaround of the target for each. */
import type { Capabilities } from "@groupwise/core";
import type { Expansion, Quirk } from "@groupwise/core/target";

/** Capabilities for a device that fails a row, for kernels of more work-group memory. */
interface FewWords {
  readonly row: string;
  readonly bytes: number;
  readonly workGroupMemory: number;
  readonly workGroupSize: number;
}

interface WgslQuirks {
  readonly minusZero: Quirk<readonly Expansion[]>;
  readonly halfLiteral: Quirk;
  readonly halfBitcast: Quirk;
  readonly shuffleXor: Quirk<NonNullable<Capabilities["shuffles"]>>;
  readonly zeroedWords: Quirk<FewWords>;
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
  zeroedWords: {
    who: "naga, to OpenGL ES",
    what: "stores a zero for each word of work-group memory, for which Mesa with LLVM 15 takes the square of their number",
    remedy: "fewer words where u32 / 0, which it leaves to the device, shows it",
    // docs/decisions/zeroed-words.md
    value: { row: "u32 div", bytes: 1024, workGroupMemory: 4096, workGroupSize: 64 },
  },
};

/** A work-group of two has one round, for which no device needs a test of its subgroups. */
export const LEAST_GROUP = 3;
