/** Faults of what refuses: documents, laws of operators, names, arguments of runs. */
import { type Fault, replaceExport, replaceIn } from "./fault.ts";

export const CHECKS: readonly Fault[] = [
  {
    id: "check-broadcast",
    about: "a broadcast may have any index",
    tests: ["packages/ir/test/check.test.ts"],
    expects: "check refuses type-mismatch: a float for an index",
    break: async () => {
      const { RULES } = await import("@groupwise/ir/document/rules.js");
      replaceIn(
        RULES as { broadcast: (typeof RULES)["broadcast"] },
        "broadcast",
        () =>
          (c, { of }) =>
            c.types[of] ?? "u32",
      );
    },
  },
  {
    id: "document-aliased",
    about: "a hostile document can change between check and use",
    tests: ["packages/ir/test/schema.test.ts"],
    expects: "an invalid document bad-document at document: a Map",
    break: () => replaceExport(import("@groupwise/ir/schema/plain.js"), "plainCopy", () => (value) => value),
  },
  {
    id: "laws-accept",
    about: "results of operators that differ count as equal",
    tests: ["packages/ir/test/laws.test.ts"],
    expects: "the properties in the table of operators 'add' of 'f16'",
    break: () =>
      replaceExport(import("@groupwise/ir/laws/judge.js"), "judgeOf", (real) => (operator, sides) => {
        const judge = real(operator, sides);
        return (states) => ({ ...judge(states), judgement: "same" });
      }),
  },
  {
    id: "comment-unescaped",
    about: "text of a document gets into comments as it is",
    tests: ["packages/target-wgsl/test/emit.test.ts"],
    expects: "keeps a command in its comment",
    break: () =>
      replaceExport(import("@groupwise/kernel/print/text.js"), "commentText", () => (text) => text),
  },
  {
    id: "name-reserved",
    about: "words of JavaScript are used as names",
    tests: ["packages/target-js/test/names.test.ts"],
    expects: "names that are words of the module of functions",
    break: () =>
      replaceExport(
        import("@groupwise/runtime/modules/keywords.js"),
        "isReservedInModule",
        () => () => false,
      ),
  },
  {
    id: "overlap-accepted",
    about: "arrays overlap only if they begin at the same byte",
    tests: ["packages/runtime/test/runtime.test.ts"],
    expects: "finds the same overlaps as sets of bytes",
    break: () =>
      replaceExport(
        import("@groupwise/runtime/run/overlap.js"),
        "overlap",
        () => (a, b) => a.root === b.root && a.byteOffset === b.byteOffset,
      ),
  },
  {
    id: "scatter-unreported",
    about: "slots past the end of a scatter are not reported",
    tests: ["packages/target-js/test/recording.test.ts"],
    expects:
      "plain JavaScript keeps arrays and records steps a scatter outside is reported at submit, by the pipeline's name; other steps run",
    break: () => replaceExport(import("@groupwise/runtime/checks/results.js"), "checkStatus", () => () => {}),
  },
  {
    id: "state-gap",
    about: "states of ranges that are not adjacent are merged",
    tests: ["packages/streams/test/states.test.ts"],
    expects: "merging states refuses states of ranges that are not adjacent",
    break: () =>
      replaceExport(
        import("@groupwise/streams/state/state.js"),
        "mergeStates",
        (real) => (left, right) => real(left, { ...right, from: left.to }),
      ),
  },
  {
    id: "foreign-tuning",
    about: "a tuning of other hardware is taken",
    tests: ["packages/runtime/test/tuning.test.ts"],
    expects: "a tuning is for devices of its target and hardware, with any driver",
    break: () =>
      replaceExport(import("@groupwise/runtime/tuning/select.js"), "requireTunedFor", () => () => {}),
  },
];
