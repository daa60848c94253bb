/** Faults of the search for the prefix of a tile. */
const LEVELS = {
  file: "packages/core/src/compiler/strategies/look-back/prefix.ts",
  tests: ["packages/core/test/look-back-levels.test.ts"],
};
/** Single tiles of long ranges, by an interpreter of kernels. */
const TILE = { ...LEVELS, expects: "the slots that it publishes" };

export const LOOK_BACK = [
  {
    id: "levels-block-goes-on",
    about: "a tile publishes the totals of blocks that do not end with it",
    find: "and(lt(level, ends), eq(missing",
    replace: "and(lt(level, sub(used, u32(1))), eq(missing",
    ...TILE,
  },
  {
    id: "levels-too-few",
    about: "the tiles after the first block of 32 do not read its slot",
    find: 'binary("max", add(log32, u32(1)), u32(1))',
    replace: 'binary("max", log32, u32(1))',
    ...TILE,
  },
  {
    id: "levels-own-slot",
    about: "the total of a block takes the place of another slot of its level",
    find: "slots, total, digitOf(tile, level)",
    replace: "slots, total, digitOf(tile, u32(0))",
    ...TILE,
  },
  {
    id: "levels-smallest-block",
    about: "the prefix after a tile combines the smallest block that ends with it instead of the largest",
    find: "eq(level, ends);",
    replace: "eq(level, u32(0));",
    ...LEVELS,
    expects: "in floats",
  },
  {
    id: "climb-too-low",
    about:
      "in subgroups of 32, the prefix after a tile that ends a block of 1,024 combines the blocks of 32 tiles",
    find: 'code.for("level", u32(1), add(ends, u32(1)),',
    replace: 'code.for("level", u32(1), binary("min", add(ends, u32(1)), u32(2)),',
    ...LEVELS,
    expects: "in floats",
  },
  {
    id: "levels-in-loops-shifted",
    about: "in loops over the levels, each level begins with the prefix of the level below",
    find: "for (let i = levels - 2; i >= 0; i--)",
    replace: "for (let i = 0; i < levels - 1; i++)",
    ...LEVELS,
    expects: "in floats",
  },
  {
    id: "shuffle-other-place",
    about: "shuffles read other places of the subgroup",
    file: "packages/core/src/compiler/lanes/lanes.ts",
    find: "and(lane, sub(size, u32(1)))",
    replace: "and(lane, sub(size, u32(2)))",
    tests: ["packages/target-wgsl/test/subgroups.test.ts"],
    expects: "uses them by itself",
  },
  {
    id: "levels-skipped-barrier",
    about: "barriers are skipped where a tile reads no slot of a level",
    ...LEVELS,
    find: "if (team.isSubgroup) code.if(",
    replace: "if (tile) code.if(",
    expects: "copy what computes a missing slot alone",
  },
];
