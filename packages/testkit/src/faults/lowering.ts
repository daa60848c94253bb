/** Faults of lowerings and passes: barriers, ends of tiles, strides, order, look-back, proofs about kernels. */
import { type Fault, replaceExport } from "./fault.ts";
import {
  definitionsBehindAssignments,
  mapKernelBlocks,
  replacePass,
  swapped,
  withNothing,
  withoutBarriers,
  withoutStmts,
} from "./kernels.ts";

const expressions = () => import("../../../core/src/compiler/kernel/make-expr.ts");
const testsOf = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `packages/core/test/${name}.test.ts`);

export const LOWERING: readonly Fault[] = [
  {
    id: "lanes-barrier",
    about: "values of siblings are read before they are written",
    tests: testsOf("lanes"),
    expects: "across lanes, add of f32 in work-groups of 2, known when emitting",
    break: () => withoutBarriers(import("../../../core/src/compiler/lanes/lanes.ts"), "ascend"),
  },
  {
    id: "announce-barrier",
    about: "a value that one lane announces is read before it is written",
    tests: testsOf("lanes"),
    expects: "across lanes, add of f32 in work-groups of 3, known when emitting",
    break: () => withoutBarriers(import("../../../core/src/compiler/lanes/lanes.ts"), "announce"),
  },
  {
    id: "rank-barrier",
    about: "items are reordered before the counts in the same memory are read",
    tests: testsOf("rank"),
    expects: "kernels of ranks follow the definition by ballots of subgroups, in several tiles",
    break: () => withoutBarriers(import("../../../core/src/compiler/stable-rank/write.ts"), "writeTile"),
  },
  {
    id: "bins-barrier",
    about: "values combine in bins that another work-item has not cleared yet",
    tests: testsOf("bins"),
    expects: "kernels with bins return the results of the reference for every operator, in vec4s and after them, in several work-groups",
    break: () => withoutBarriers(import("../../../core/src/compiler/bins/kernel.ts"), "binKernels"),
  },
  {
    id: "rank-places",
    about: "the items of each round of a tile take the places of the next round",
    tests: testsOf("rank"),
    expects: "kernels of ranks follow the definition by ballots of subgroups, in several tiles",
    break: async () => {
      const { add, u32 } = await expressions();
      await replaceExport(
        import("../../../core/src/compiler/stable-rank/tile.ts"),
        "placeAt",
        (real) => (shape, own, round) => real(shape, own, add(round, u32(1))),
      );
    },
  },
  {
    id: "permutation-assumed",
    about: "an output is not cleared though only some items write it",
    tests: testsOf("rank"),
    expects: "kernels of ranks follow the definition leave scatters of some items, or with repeated slots, to passes that clear and check",
    break: () =>
      replaceExport(import("../../../core/src/compiler/ranks/permuted.ts"), "isPermuted", () => () => true),
  },
  {
    id: "operator-swapped",
    about: "kernels take the operands of an operator that does not commute in the wrong order",
    tests: testsOf("chunks"),
    expects: "kernels of chunks return the results of the reference for an operator that does not commute",
    break: () =>
      replaceExport(
        import("../../../core/src/compiler/parts/operator.ts"),
        "monoidOfOperator",
        (real) => (operator) => swapped(real(operator)),
      ),
  },
  {
    id: "counter-swapped",
    about: "a block of the loop of one thread comes before the earlier one",
    tests: ["packages/target-js/test/conformance.test.ts"],
    expects: "plain JavaScript conforms affine-maps: an operator that does not commute, over the device, and in groups of no power of two",
    break: () =>
      replaceExport(
        import("../../../core/src/compiler/loops/counter.ts"),
        "running",
        (real) => (code, monoid, hint) => real(code, swapped(monoid), hint),
      ),
  },
  {
    id: "ladder-order",
    about: "smaller blocks come before larger ones in a prefix of a pass that computes outputs one by one",
    tests: ["packages/target-js/test/gpu-js-conformance.test.ts"],
    expects: "gpu.js in its cpu mode conforms smoothing: a linear recurrence of floats, over the device and in groups",
    break: () =>
      replaceExport(
        import("../../../core/src/compiler/strategies/per-output/ladder.ts"),
        "rungs",
        (real) => (lowering, ladder, monoid, items) => real(lowering, ladder, swapped(monoid), items),
      ),
  },
  {
    id: "tile-end",
    about: "the work-item past the last one writes, too",
    tests: testsOf("far"),
    expects: "a scan of 1073754169 u32, whole",
    break: async () => {
      const { mapExprs } = await import("../../../core/src/compiler/passes/base/pass.ts");
      await replacePass(
        "rows",
        (real) => (module, around) =>
          real(
            mapExprs(module, (e) =>
              e.kind === "binary" && e.op === "lt" && e.right.kind === "param" ? { ...e, op: "le" } : e,
            ),
            around,
          ),
      );
    },
  },
  {
    id: "tile-stride",
    about: "the distance between tiles is short by the items of one work-item",
    tests: testsOf("far"),
    expects: "a scan of 1073754169 u32, whole",
    break: () =>
      replaceExport(
        import("../../../core/src/compiler/work-groups/levels.ts"),
        "baseOf",
        (real) => (code, tile, group, lane) =>
          real(code, { ...tile, size: tile.size - tile.itemsPerWorkItem }, group, lane),
      ),
  },
  {
    id: "chunks-last",
    about: "the last items of a range belong to no chunk",
    tests: testsOf("chunks"),
    expects: "kernels of chunks return the results of the reference for floats, whose order is fixed",
    break: async () => {
      const { formula } = await import("../../../core/src/ir/base/formula.ts");
      await replaceExport(
        import("../../../core/src/compiler/strategies/chunks/shape.ts"),
        "chunkKernel",
        (real) => (...given) => {
          const kernel = real(...given);
          return { ...kernel, groups: formula("max", 1, formula("sub", kernel.groups, 1)) };
        },
      );
    },
  },
  {
    id: "in-place-read-later",
    about: "an output may use the array of an input that is read after it was written",
    tests: testsOf("in-place"),
    expects: "an output may use the array of an input but not if there is a later pass reads",
    break: () =>
      replaceExport(
        import("../../../core/src/compiler/passes/in-place.ts"),
        "inPlaceProblem",
        () => () => undefined,
      ),
  },
  {
    id: "fold-select",
    about: "a choice by a constant takes the other side",
    tests: testsOf("fold"),
    expects: "the sign of a zero is kept",
    break: () =>
      replaceExport(
        import("../../../core/src/compiler/kernel/fold-expr.ts"),
        "foldWith",
        (real) => (e, known) =>
          real(e.kind === "select" ? { ...e, then: e.otherwise, otherwise: e.then } : e, known),
      ),
  },
  {
    id: "split-border",
    about: "elements after a part of an array are looked for in that part",
    tests: testsOf("split"),
    expects: "arrays in parts give the results of whole arrays",
    break: () =>
      replaceExport(
        import("../../../core/src/compiler/passes/split.ts"),
        "splitArrays",
        (real) => (module, { split }) =>
          real(module, split ? { split: { ...split, partBytes: 2 * split.partBytes } } : {}),
      ),
  },
  {
    id: "verify-barrier",
    about: "a barrier is accepted where not every work-item comes",
    tests: testsOf("verify"),
    expects: "refuses a barrier for some lanes",
    break: async () => {
      await replaceExport(
        import("../../../core/src/compiler/kernel/verify.ts"),
        "verify",
        (real) => (module) => real(mapKernelBlocks(module, withoutStmts("barrier"))),
      );
    },
  },
  {
    id: "verify-undeclared",
    about: "a parameter that nothing declares is accepted",
    tests: testsOf("verify"),
    expects: "refuses a parameter that is not there",
    break: async () => {
      const { allExprs } = await import("../../../core/src/compiler/kernel/walk.ts");
      await replaceExport(
        import("../../../core/src/compiler/kernel/verify.ts"),
        "verify",
        (real) => (module) => {
          const read = module.kernels
            .flatMap(({ body }) => allExprs(body))
            .flatMap((e) =>
              e.kind === "param" ? [{ name: e.name, type: e.type, role: "length" as const }] : [],
            );
          const given = new Map([...read, ...module.params].map((param) => [param.name, param]));
          real({ ...module, params: [...given.values()] });
        },
      );
    },
  },
  {
    id: "verify-bound",
    about: "every index is thought to be 0, and so to be inside of its array",
    tests: testsOf("verify"),
    expects: "refuses an index past the work-group's array",
    break: () =>
      replaceExport(import("../../../core/src/compiler/kernel/interval.ts"), "intervalOf", () => () => [0, 0]),
  },
  {
    id: "segments-any-order",
    about: "values in segments are combined in any grouping though their operator is not associative",
    tests: testsOf("segments"),
    expects: "a count and a segmented operator of one condition have the results of the reference",
    break: () =>
      replaceExport(
        import("../../../core/src/compiler/parts/segmented.ts"),
        "isExactInSegments",
        () => () => true,
      ),
  },
  {
    id: "scatter-inside",
    about: "slots of scatters are not compared with the length",
    tests: testsOf("bounded", "filled"),
    expects: "kernels without a status word write what the reference writes, also of items that are left out",
    break: () =>
      replaceExport(import("../../../core/src/compiler/ranks/inside.ts"), "isInside", () => () => true),
  },
  {
    id: "functions-take-nothing",
    about: "functions do not take the arrays that they use",
    tests: testsOf("taken"),
    expects: "a function takes what the functions use that its callees call",
    break: () =>
      replaceExport(import("../../../core/src/compiler/routines/taken.ts"), "takenBy", () => () => new Map()),
  },
  {
    id: "look-back-status",
    about: "slots of earlier tiles are read before they are published",
    tests: testsOf("look-back-levels"),
    expects: "a tile of a long range, lanes exchanging values through work-group memory 32 of 33: its prefixes, and the slots that it publishes",
    break: async () => {
      const { bool } = await expressions();
      await replaceExport(
        import("../../../core/src/compiler/strategies/look-back/tiles/words.ts"),
        "areReady",
        () => () => bool(true),
      );
    },
  },
  {
    id: "look-back-lost",
    about: "a tile does not publish the blocks that end with it",
    tests: testsOf("look-back-levels"),
    expects: "a tile of a long range, lanes exchanging values in subgroups of 32 1023 of 1024: its prefixes, and the slots that it publishes",
    break: () =>
      withNothing(import("../../../core/src/compiler/strategies/look-back/slots.ts"), "publishBlocks"),
  },
  {
    id: "look-back-tail",
    about: "the tail does not publish the blocks that the last full tile has left out",
    tests: testsOf("look-back-levels"),
    expects: "a tile of a long range, lanes exchanging values in subgroups of 32 the tail after 32 tiles computes the blocks that the last of them ends and, since a slot was late, has not published",
    break: () =>
      withNothing(import("../../../core/src/compiler/strategies/look-back/slots.ts"), "publishLastBlocks"),
  },
  {
    id: "look-back-digit",
    about: "of the blocks of 32 tiles before a tile, one too few is read",
    tests: testsOf("look-back-levels"),
    expects: "a tile of a long range, lanes exchanging values through work-group memory 32 of 33: its prefixes, and the slots that it publishes",
    break: async () => {
      const { binary, sub, u32 } = await expressions();
      await replaceExport(
        import("../../../core/src/compiler/strategies/look-back/tiles/shape.ts"),
        "digitOf",
        (real) => (tile, level) => sub(binary("max", real(tile, level), u32(1)), u32(1)),
      );
    },
  },
];
