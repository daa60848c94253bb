/** Faults of the search for the prefix of a tile, of look-back through work-group memory, and of operators that take many operations. */
const LEVELS = {
  file: "packages/core/src/compiler/strategies/look-back/prefix.ts",
  tests: ["packages/core/test/look-back-levels.test.ts"],
};
/** Single tiles of long ranges, by an interpreter of kernels. */
const TILE = { ...LEVELS, expects: "the slots that it publishes" };

const ROWS = {
  file: "packages/core/src/compiler/lanes/rows-of-lanes.ts",
  tests: ["packages/core/test/rows-of-lanes.test.ts"],
};
const TREE = {
  file: "packages/core/src/compiler/lanes/tree.ts",
  tests: ["packages/core/test/tree.test.ts"],
};
const HEAVY = { tests: ["packages/core/test/look-back-heavy.test.ts"] };

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
    file: "packages/core/src/compiler/lanes/shuffles.ts",
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
  {
    id: "heavy-rows-order",
    about: "a lane gives its sibling the row that it should keep",
    ...ROWS,
    find: "own = [...early, ...late];",
    replace: "own = [...late, ...early];",
  },
  {
    id: "heavy-rows-first",
    about: "the prefix before the first row is taken to exist in lanes of other rows",
    ...ROWS,
    find: "isWhole ? 2 * bit - rows : 0",
    replace: "isWhole ? 2 * bit - 1 : 0",
  },
  {
    id: "heavy-rows-lower",
    about: "an upper lane keeps its own total instead of its sibling's",
    ...ROWS,
    find: 'choose(code, "lower", upper, theirs, mine)',
    replace: 'choose(code, "lower", upper, mine, theirs)',
  },
  {
    id: "heavy-tree-whole",
    about: "the prefix after the last lane leaves out the block of all lanes",
    ...TREE,
    find: "u32(rounds + 1)",
    replace: "u32(rounds)",
  },
  {
    id: "heavy-tree-ending",
    about: "lanes keep the total of a block that does not end with them",
    ...TREE,
    find: "eq(and(lane, ones), ones)",
    replace: "ne(and(lane, bit), u32(0))",
  },
  {
    id: "heavy-first-row",
    about: "the first item of a tile combines a prefix that is not there",
    file: "packages/core/src/compiler/strategies/look-back/heavy.ts",
    find: 'ne(binary("or", row, team.sub), u32(0))',
    replace: "ne(tile, u32(1))",
    ...HEAVY,
  },
  {
    id: "heavy-largest",
    about: "the prefix after a tile combines the smallest block that ends with it instead of the largest",
    file: "packages/core/src/compiler/strategies/look-back/heavy.ts",
    find: "eq(level, ends)",
    replace: "eq(level, u32(0))",
    ...HEAVY,
    expects: "a tile of a long range",
  },
  {
    id: "heavy-reduce",
    about: "the first subgroup combines the totals of work-items that are not neighbours",
    file: "packages/core/src/compiler/lanes/first-alone.ts",
    find: "add(from, u32(k))",
    replace: "add(lane, u32(k * FIRST))",
    ...HEAVY,
    expects: "reduces of emulated doubles",
  },
  {
    id: "heavy-operands",
    about: "an output that needs the operands reads what the up-sweep left of them",
    file: "packages/core/src/compiler/strategies/look-back/write.ts",
    find: "const known = items ? this.known : [];",
    replace: "const known = this.known;",
    ...HEAVY,
  },
  {
    id: "heavy-search",
    about: "every subgroup searches the prefix of a tile",
    file: "packages/core/src/compiler/strategies/look-back/team.ts",
    find: "isFirstAlone: isHeavy && isBlock",
    replace: "isFirstAlone: false",
    ...HEAVY,
    expects: "2.25 sums an item",
  },
  {
    id: "subgroups-barrier",
    about: "a barrier where only some subgroups come is not reported",
    file: "packages/core/src/compiler/kernel/verify.ts",
    find: "this.nested(uniform, then, ofSubgroups ?? uniform)",
    replace: "this.nested(ofSubgroups ?? uniform, then)",
    tests: ["packages/core/test/verify.test.ts"],
    expects: "a barrier for some subgroups",
  },
];
