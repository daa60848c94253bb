/** Faults of runs: states of chunks, parts side by side, rounds, programs and arrays of hosts, tuning. */
import { type Fault, replaceExport, replaceIn } from "./fault.ts";

const cover = () => import("@groupwise/streams/state/cover.js");
const arrays = () => import("@groupwise/streams/host/state/arrays.js");
const sideBySide = () => import("@groupwise/streams/host/state/side-by-side.js");

const STATES = ["packages/streams/test/states.test.ts"];
const LOOPS = ["packages/target-js/test/states.test.ts"];

export const HOSTS: readonly Fault[] = [
  {
    id: "cover-turned",
    about: "the later block of a state is the left operand",
    tests: STATES,
    expects: "merging states gives the same state for any grouping: brackets",
    break: () =>
      replaceExport(
        cover(),
        "joinCovers",
        (real) => (left, right, combine) => real(left, right, (a, b) => combine(b, a)),
      ),
  },
  {
    id: "state-without-base",
    about: "loops drop the items before the block of 2^30",
    tests: LOOPS,
    expects: "JavaScript carries states items far into a range have the bits of the reference",
    break: () => replaceExport(arrays(), "placeOf", (_, { within }) => within),
  },
  {
    id: "pieces-turned",
    about: "the outputs of the pieces of a chunk are in the opposite order",
    tests: LOOPS,
    expects: "JavaScript carries states items far into a range have the bits of the reference",
    break: () =>
      replaceExport(
        import("@groupwise/streams/host/state/results.js"),
        "joinResults",
        (real) => (checked, parts) => real(checked, [...parts].reverse()),
      ),
  },
  {
    id: "parts-first-state",
    about: "each part of a range goes on from the state before the first of them",
    tests: ["packages/target-js/test/across.test.ts"],
    expects: "a scan over several runtimes has the bits of one, shares [ 1, 1 ]",
    break: () =>
      replaceExport(sideBySide(), "runSideBySide", (real) => (range, n) => {
        const runners = range.runners.map((runner) => ({
          stateOf: runner.stateOf.bind(runner),
          step: ((from, to, before, needs) =>
            runner.step(from, to, { ...range.start, to: before.to }, needs)) as typeof runner.step,
        }));
        return real({ ...range, runners }, n);
      }),
  },
  {
    id: "workers-first-items",
    about: "each worker thread computes the first items of the range",
    tests: ["packages/target-js/test/workers.test.ts"],
    expects: "2 workers have the bits of one thread: a reduce",
    break: () =>
      replaceExport(sideBySide(), "runSideBySide", (real) => (range, n) => {
        const runners = range.runners.map((runner) => ({
          stateOf: ((from, to) => runner.stateOf(0, to - from)) as typeof runner.stateOf,
          step: runner.step.bind(runner),
        }));
        return real({ ...range, runners }, n);
      }),
  },
  {
    id: "parts-appended",
    about: "elements are appended from the first place on where a slice can begin",
    tests: ["packages/target-js/test/compaction-parts.test.ts"],
    expects:
      "compactions of no items, of some and of all and if a part is computed in several pieces, whose elements begin anywhere",
    break: async () => {
      const { Appender } = await import("@groupwise/streams/host/across/append.js");
      replaceIn(
        Appender.prototype,
        "append",
        (real) =>
          function (this: InstanceType<typeof Appender>, given) {
            return real.call(this, { ...given, at: 0 });
          },
      );
    },
  },
  {
    id: "rounds-through-f32",
    about: "a result of a round is rounded to f32",
    tests: ["packages/target-js/test/rounds.test.ts"],
    expects: "JavaScript runs in rounds normalised has the bits of the whole range",
    break: () =>
      replaceExport(
        import("@groupwise/streams/host/streams/round-values.js"),
        "roundAfter",
        (real) =>
          (...given) => {
            const after = real(...given);
            const results = after.results.map((result) =>
              typeof result.value === "number" ? { ...result, value: Math.fround(result.value) } : result,
            );
            return { ...after, results };
          },
      ),
  },
  {
    id: "backwards-forwards",
    about: "scans from the end begin at the first item",
    tests: ["packages/target-js/test/rounds.test.ts"],
    expects: "JavaScript runs in rounds backwards has the bits of the whole range",
    break: () =>
      replaceExport(import("@groupwise/streams/rounds/mirror.js"), "mirroredOf", () => (checked) => checked),
  },
  {
    id: "cache-keeps-first",
    about: "programs of pipelines with one name are taken for the same one",
    tests: ["packages/runtime/test/runtime.test.ts"],
    expects: "the content of a document includes everything else",
    break: () =>
      replaceExport(
        import("@groupwise/runtime/checks/content-key.js"),
        "contentKey",
        () => (pipeline) => pipeline.name,
      ),
  },
  {
    id: "scratch-overlap",
    about: "arrays of scratch memory overlap where their size is no multiple of the alignment",
    tests: ["packages/runtime/test/runtime.test.ts"],
    expects: "scratch arrays share memory without overlapping, aligned",
    break: () =>
      replaceExport(
        import("@groupwise/runtime/run/scratch.js"),
        "scratchPlan",
        (real) => (manifest, sides, options) => real(manifest, sides, { ...options, alignment: 1 }),
      ),
  },
  {
    id: "offset-ignored",
    about: "a launch begins at the first item of the range, whatever its offset",
    tests: ["packages/target-js/test/ranges.test.ts"],
    expects: "in any range, the work-item functions equal the reference",
    break: () =>
      replaceExport(import("@groupwise/runtime/checks/range.js"), "rangeOf", (real) => (...given) => {
        const range = real(...given);
        return { ...range, globalOffset: range.globalOffset.map(() => 0) };
      }),
  },
  {
    id: "spare-length",
    about: "an output is written to an array of another length",
    tests: ["packages/target-js/test/spare.test.ts"],
    expects: "the option spare of a run is written if type and length fit, and otherwise ignored",
    break: () =>
      replaceExport(
        import("@groupwise/runtime/run/spare.js"),
        "spareOf",
        (real) => (manifest, options, keepsShared) => {
          const spare = real(manifest, options, keepsShared);
          const given = options?.spare as Readonly<Record<string, { readonly length: number }>> | undefined;
          return (binding, length) => spare(binding, given?.[binding.name]?.length ?? length);
        },
      ),
  },
  {
    id: "shared-memory-given",
    about: "the memory of an output that the caller has is used again by worker threads",
    tests: ["packages/target-js/test/workers-memory.test.ts"],
    expects: "after the first runs no long memory is made, except outputs that callers keep",
    break: async () => {
      const { SharedMemory } = await import("../../../target-js/src/workers/memory.ts");
      replaceIn(SharedMemory.prototype, "give", () => (array) => array);
    },
  },
  {
    id: "tuning-border",
    about: "a row of a tuning also applies to the first number of items after its range",
    tests: ["packages/runtime/test/tuning.test.ts"],
    expects: "a row for 0 items is that of its range",
    break: () =>
      replaceExport(
        import("@groupwise/runtime/tuning/select.js"),
        "rowFor",
        (real) => (tuning, subject, items) => real(tuning, subject, items === undefined ? items : items - 1),
      ),
  },
  {
    id: "tune-unchecked",
    about: "sizes are timed whatever their results",
    tests: ["packages/runtime/test/tune-contest.test.ts"],
    expects: "a contest never chooses sizes whose results are wrong, or that fail, and names them",
    break: () =>
      replaceExport(
        import("@groupwise/runtime/tune/contest.js"),
        "decide",
        (real) => (contest) =>
          real({
            ...contest,
            prepare: async (tiles) => {
              const trial = await contest.prepare(tiles);
              return {
                check: async () => undefined,
                measure: () => trial.measure(),
                dispose: () => trial.dispose(),
              };
            },
          }),
      ),
  },
];
