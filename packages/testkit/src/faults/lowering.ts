/** Faults of lowerings and passes: barriers, ends of tiles, strides, order, look-back, proofs about kernels. */
import { type Fault, replaceExport } from "./fault.ts";
import {
  mapKernelBlocks,
  replacePass,
  swapped,
  withNothing,
  withoutBarriers,
  withoutStmts,
} from "./kernels.ts";

const expressions = () => import("@groupwise/kernel/language/make-expr.js");
const testsOf = (room: string, ...names: readonly string[]): readonly string[] =>
  names.map((name) => `packages/${room}/test/${name}.test.ts`);

export const LOWERING: readonly Fault[] = [
  {
    id: "lanes-barrier",
    about: "values of siblings are read before they are written",
    tests: testsOf("lower", "lanes"),
    expects: "across lanes, add of f32 in work-groups of 2, known when emitting",
    break: () => withoutBarriers(import("@groupwise/lower/lanes/lanes.js"), "ascend"),
  },
  {
    id: "shared-place",
    about: "each item of a block takes the place of the first",
    tests: testsOf("lower", "shared"),
    expects: "reduce-then-scan the results are those of the reference",
    break: () =>
      replaceExport(import("@groupwise/lower/parts/shared.js"), "shareIn", (shareIn) => (...given) => {
        const knownAt = shareIn(...given);
        return () => knownAt(0);
      }),
  },
  {
    id: "rank-barrier",
    about: "items are reordered before the counts in the same memory are read",
    tests: testsOf("streams", "rank"),
    expects: "kernels of ranks follow the definition by ballots of subgroups, in several tiles",
    break: () => withoutBarriers(import("@groupwise/lower/stable-rank/write.js"), "writeTile"),
  },
  {
    id: "rank-of-stored",
    about: "items of a rank compute again what an earlier stage stored, at their new places",
    tests: testsOf("testkit", "interpreted"),
    expects:
      'kernels of work-groups, interpreted gives what the reference gives 6 small pipelines, seed "groupwise 0"',
    break: () =>
      replaceExport(
        import("@groupwise/lower/stable-rank/source.js"),
        "carriedOf",
        (real) => (known, ranked) => real({ ...known, written: new Set() }, ranked),
      ),
  },
  {
    id: "operator-swapped",
    about: "kernels take the operands of an operator that does not commute in the wrong order",
    tests: testsOf("lower", "chunks"),
    expects: "kernels of chunks return the results of the reference for an operator that does not commute",
    break: () =>
      replaceExport(
        import("@groupwise/lower/parts/operator.js"),
        "monoidOfOperator",
        (real) => (operator) => swapped(real(operator)),
      ),
  },
  {
    id: "tile-end",
    about: "the work-item past the last one writes, too",
    tests: testsOf("lower", "far"),
    expects: "a scan of 1073754169 u32, whole",
    break: async () => {
      const { mapExprs } = await import("@groupwise/kernel/passes/base/pass.js");
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
    tests: testsOf("lower", "far"),
    expects: "a scan of 1073754169 u32, whole",
    break: () =>
      replaceExport(
        import("@groupwise/lower/work-groups/levels.js"),
        "baseOf",
        (real) =>
          (code, { items, ...tiling }, group, lane) =>
            real(
              code,
              { ...tiling, items: { ...items, size: items.size - items.itemsPerWorkItem } },
              group,
              lane,
            ),
      ),
  },
  {
    id: "chunks-last",
    about: "the last items of a range belong to no chunk",
    tests: testsOf("lower", "chunks"),
    expects: "kernels of chunks return the results of the reference for floats, whose order is fixed",
    break: async () => {
      const { formula } = await import("@groupwise/ir/base/formula.js");
      await replaceExport(
        import("@groupwise/lower/strategies/chunks/shape.js"),
        "chunkKernel",
        (real) =>
          (...given) => {
            const kernel = real(...given);
            return { ...kernel, groups: formula("max", 1, formula("sub", kernel.groups, 1)) };
          },
      );
    },
  },
  {
    id: "in-place-read-later",
    about: "an output may use the array of an input that is read after it was written",
    tests: testsOf("kernel", "in-place"),
    expects: "an output may use the array of an input but not if there is a later pass reads",
    break: () =>
      replaceExport(import("@groupwise/kernel/passes/in-place.js"), "inPlaceProblem", () => () => undefined),
  },
  {
    id: "accesses-unchecked",
    about: "kernels of debug runs check nothing",
    tests: ["packages/target-js/test/debug.test.ts"],
    expects: "the option debug finds accesses outside and reads of what nothing wrote",
    break: () => replacePass("check-accesses", () => (module) => module),
  },
  {
    id: "group-output-by-item",
    about:
      "the output of a work-group's value, of one element for each work-group, is read at the index of an item",
    tests: testsOf("target-js", "random"),
    expects: "135 large documents of pairs from 0 on",
    break: () =>
      replaceExport(import("@groupwise/lower/parts/stages.js"), "materializedIn", (real) => (plan) => {
        const { uniformities } = plan.checked;
        const asItems = uniformities.map((rate) => (rate === "group" ? "item" : rate));
        return real({ ...plan, checked: { ...plan.checked, uniformities: asItems } });
      }),
  },
  {
    id: "bounds-unproven",
    about: "indexes of device memory are not proven to be inside",
    tests: testsOf("lower", "bounds"),
    expects: "the arrays of strategies totals of tiles: indexes are inside, and refused in half of an array",
    break: () => withNothing(import("@groupwise/kernel/bounds/verify-bounds.js"), "verifyBounds"),
  },
  {
    id: "tile-totals-short",
    about: "the array of the totals of tiles is short by one",
    tests: testsOf("lower", "bounds"),
    expects: "the arrays of strategies totals of tiles: indexes are inside, and refused in half of an array",
    break: async () => {
      const { formula } = await import("@groupwise/ir/base/formula.js");
      await replaceExport(
        import("@groupwise/lower/work-groups/tile-totals.js"),
        "makeTileTotals",
        (real) =>
          (component, storage, elements, ...what) =>
            real(component, storage, formula("sub", elements, formula("min", elements, 1)), ...what),
      );
    },
  },
  {
    id: "fold-select",
    about: "a choice by a constant takes the other side",
    tests: testsOf("kernel", "fold"),
    expects: "the sign of a zero is kept",
    break: () =>
      replaceExport(
        import("@groupwise/kernel/language/fold-expr.js"),
        "foldWith",
        (real) => (e, known) =>
          real(e.kind === "select" ? { ...e, then: e.otherwise, otherwise: e.then } : e, known),
      ),
  },
  {
    id: "split-border",
    about: "the first element after a part of an array is looked for in that part",
    tests: testsOf("kernel", "split"),
    expects: "arrays in parts give the results of whole arrays",
    break: async () => {
      const { mapExprs } = await import("@groupwise/kernel/passes/base/pass.js");
      await replaceExport(
        import("@groupwise/kernel/passes/split.js"),
        "splitArrays",
        (real) => (module, around) =>
          mapExprs(real(module, around), (e) =>
            e.kind === "binary" && e.op === "lt" && e.right.kind === "const" ? { ...e, op: "le" } : e,
          ),
      );
    },
  },
  {
    id: "split-size",
    about: "parts of an array end at a power of two",
    tests: testsOf("kernel", "split"),
    expects: "arrays in parts give the results of whole arrays",
    break: () =>
      replaceExport(
        import("@groupwise/kernel/passes/split.js"),
        "splitArrays",
        (real) =>
          (module, { split }) =>
            real(
              module,
              split ? { split: { ...split, partBytes: 2 ** Math.floor(Math.log2(split.partBytes)) } } : {},
            ),
      ),
  },
  {
    id: "verify-barrier",
    about: "a barrier is accepted where not every work-item comes",
    tests: testsOf("kernel", "verify"),
    expects: "refuses a barrier for some lanes",
    break: async () => {
      await replaceExport(
        import("@groupwise/kernel/language/verify.js"),
        "verify",
        (real) => (module) => real(mapKernelBlocks(module, withoutStmts("barrier"))),
      );
    },
  },
  {
    id: "verify-undeclared",
    about: "a parameter that nothing declares is accepted",
    tests: testsOf("kernel", "verify"),
    expects: "refuses a parameter that is not there",
    break: async () => {
      const { allExprs } = await import("@groupwise/kernel/language/walk.js");
      await replaceExport(import("@groupwise/kernel/language/verify.js"), "verify", (real) => (module) => {
        const read = module.kernels
          .flatMap(({ body }) => allExprs(body))
          .flatMap((e) =>
            e.kind === "param" ? [{ name: e.name, type: e.type, role: "length" as const }] : [],
          );
        const given = new Map([...read, ...module.params].map((param) => [param.name, param]));
        real({ ...module, params: [...given.values()] });
      });
    },
  },
  {
    id: "verify-bound",
    about: "every index is thought to be 0, and so to be inside of its array",
    tests: testsOf("kernel", "verify"),
    expects: "refuses an index past the work-group's array",
    break: () =>
      replaceExport(import("@groupwise/kernel/language/interval.js"), "intervalOf", () => () => [0, 0]),
  },
  {
    id: "definition-moved",
    about: "reads that a pass moves behind a change of what they read are not found",
    tests: testsOf("kernel", "definitions"),
    expects: "a read is found behind an assignment",
    break: () =>
      replaceExport(import("@groupwise/kernel/follow/definitions.js"), "changedReads", () => () => []),
  },
  {
    id: "types-second-name",
    about:
      "a second name of a variable is left out though the variable is assigned before the name is read, as in scans of scans of 64 bits",
    tests: testsOf("target-js", "random"),
    expects: "135 large documents of pairs from 0 on",
    break: async () => {
      let inTypes = false;
      await replacePass("types", (real) => (...given) => {
        inTypes = true;
        try {
          return real(...given);
        } finally {
          inTypes = false;
        }
      });
      await replaceExport(
        import("@groupwise/kernel/language/walk.js"),
        "assignedIn",
        (real) => (block) => (inTypes ? new Set() : real(block)),
      );
    },
  },
  {
    id: "segments-any-order",
    about: "values in segments are combined in any grouping though their operator is not associative",
    tests: testsOf("lower", "segments"),
    expects:
      "segmented operators, with a count of their condition and without have the results of the reference",
    break: () =>
      replaceExport(
        import("@groupwise/lower/parts/segmented.js"),
        "opsInSegments",
        () =>
          ({ fields }) =>
            fields.slice(1).map(() => "add"),
      ),
  },
  {
    id: "segments-lanes",
    about: "lanes do not see in which other lanes segments begin",
    tests: testsOf("lower", "segments"),
    expects:
      "segmented operators, with a count of their condition and without have the results of the reference",
    break: () =>
      replaceExport(import("@groupwise/lower/lanes/segments.js"), "flaggedBy", () => (_, __, values) => [
        ...values,
      ]),
  },
  {
    id: "scatter-inside",
    about: "slots of scatters are not compared with the length",
    tests: testsOf("lower", "bounded", "filled"),
    expects: "kernels without a status word write what the reference writes, also of items that are left out",
    break: () => replaceExport(import("@groupwise/lower/ranks/inside.js"), "isInside", () => () => true),
  },
  {
    id: "look-back-status",
    about: "slots of earlier tiles are read before they are published",
    tests: testsOf("lower", "look-back-levels"),
    expects:
      "a tile of a long range, lanes exchanging values through work-group memory 32 of 33: its prefixes, and the slots that it publishes",
    break: async () => {
      const { bool } = await expressions();
      await replaceExport(
        import("@groupwise/lower/strategies/look-back/shape.js"),
        "areReady",
        () => () => bool(true),
      );
    },
  },
  {
    id: "look-back-late",
    about: "in place of the total of a tile that is late, that of the next one is computed",
    tests: testsOf("lower", "look-back-levels"),
    expects:
      "a tile of a long range, lanes exchanging values through work-group memory 37 computes a slot of level 0 that is missing",
    break: async () => {
      const { add, u32 } = await expressions();
      await replaceExport(
        import("@groupwise/lower/strategies/look-back/search.js"),
        "recover",
        (real) => (code, missing) =>
          real(code, {
            ...missing,
            totalOf: (body, tile) => missing.totalOf(body, add(tile, u32(1))),
          }),
      );
    },
  },
  {
    id: "look-back-lost",
    about: "a tile does not publish the blocks that end with it",
    tests: testsOf("lower", "look-back-levels"),
    expects:
      "a tile of a long range, lanes exchanging values in subgroups of 32, those of two scans 1023 of 1024: its prefixes, and the slots that it publishes",
    break: () => withNothing(import("@groupwise/lower/strategies/look-back/slots.js"), "publishBlocks"),
  },
  {
    id: "chunk-end",
    about: "the last item of a chunk keeps the prefix that begins with the chunk",
    tests: testsOf("streams", "look-back-carried"),
    expects:
      "chunks, lanes exchanging values through work-group memory of tiles and a part of one, of parts of a tile and of no items",
    break: () => withNothing(import("@groupwise/lower/strategies/look-back/carried.js"), "endOfChunk"),
  },
];
