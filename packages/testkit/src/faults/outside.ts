/** Faults of what is built on the core: the builder, primitives, columns of Arrow, models of ONNX, the command line. */
import { type Fault, replaceExport, replaceIn } from "./fault.ts";

const PROPERTIES = ["packages/primitives/test/properties.test.ts"];
const ONNX = ["packages/cli/test/onnx/models.test.ts"];

export const OUTSIDE: readonly Fault[] = [
  {
    id: "builder-seed",
    about: "a collective takes no seed",
    tests: ["packages/dsl/test/operator.test.ts"],
    expects:
      "options of collectives combine the seed before the first item, and return the seed for an empty prefix",
    break: () =>
      replaceExport(import("../../../dsl/src/declare/collective.ts"), "settingOf", (real) => (...given) => ({
        ...real(...given),
        seed: undefined,
      })),
  },
  {
    id: "runs-first",
    about: "items begin a run unless they end one",
    tests: PROPERTIES,
    expects: "unique i32 equals a plain loop and the reference, bit for bit",
    break: () =>
      replaceExport(
        import("../../../dsl/src/declare/neighbours.ts"),
        "starts",
        (_, { ends }) =>
          (keys) =>
            ends(keys).not(),
      ),
  },
  {
    id: "segments-count",
    about: "the last segment is left out",
    tests: PROPERTIES,
    expects: "segmented reduce: add i32 equals a plain loop and the reference, bit for bit",
    break: () =>
      replaceExport(
        import("../../../primitives/src/base/by-offsets.ts"),
        "segmentsIn",
        (real) => (offsets) => real(offsets - 1),
      ),
  },
  {
    id: "rows-tight",
    about: "rows and groups of floats begin where the last one ends",
    tests: ["packages/primitives/test/axis.test.ts", "packages/primitives/test/reduce-by-index.test.ts"],
    expects: "combined as it is alone, bit for bit sums in JavaScript",
    break: () =>
      replaceExport(import("../../../primitives/src/base/monoid.ts"), "monoidOf", (real) => (...given) => ({
        ...real(...given),
        isExact: true,
      })),
  },
  {
    id: "sort-unstable",
    about: "a pass of the sort orders equal digits by the digits that are not sorted yet",
    tests: ["packages/primitives/test/radix-sort.test.ts"],
    expects: "radix sort in JavaScript i32, up: any n, any keys, stable",
    break: () =>
      replaceExport(
        import("../../../primitives/src/radix/pipelines.ts"),
        "moveItems",
        (real) => (from, to, values) => real({ ...from, encode: (key) => to.encode(key) }, to, values),
      ),
  },
  {
    id: "onnx-rows",
    about: "rows of floats begin where the ones before them end, so that their bits depend on their position",
    tests: ["packages/cli/test/onnx/rows.test.ts"],
    expects: "rows over several axes, of which one has a name, have the bits that they have alone",
    break: () =>
      replaceExport(import("../../../cli/src/onnx/rows.ts"), "rowsAlong", (real) => (...given) => ({
        ...real(...given),
        isTight: true,
      })),
  },
  {
    id: "arrow-bit-order",
    about: "bits of bitmaps are read from the most significant one",
    tests: ["packages/arrow/test/columns.test.ts"],
    expects: "on request, outputs are null where an input is null, as in cumulative_sum",
    break: () =>
      replaceExport(
        import("../../../arrow/src/bits.ts"),
        "bitAt",
        () =>
          ({ bytes, from }, index) =>
            (((bytes[(from + index) >>> 3] ?? 0) >> (7 - ((from + index) & 7))) & 1) === 1,
      ),
  },
  {
    id: "arrow-nulls-combined",
    about: "collectives combine what lies in memory at nulls",
    tests: ["packages/arrow/test/nulls.test.ts"],
    expects: "a null is the identity of every collective, not 0",
    break: () =>
      replaceExport(
        import("../../../arrow/src/validity.ts"),
        "maskedOperand",
        () =>
          ({ ids }, node) =>
            node.kind === "user-collective"
              ? node.of.map((id) => ids[id] as number)
              : (ids[node.of] as number),
      ),
  },
  {
    id: "onnx-reverse",
    about: "CumSum ignores its direction",
    tests: ONNX,
    expects: "'CumSum 01'",
    break: async () => {
      const { SCANS } = await import("../../../cli/src/onnx/scan.ts");
      replaceIn(
        SCANS as Record<string, NonNullable<(typeof SCANS)[string]>>,
        "CumSum",
        (real) => (view) =>
          real(
            Object.create(view, {
              whole: {
                value: (name: string, otherwise: number) =>
                  name === "reverse" ? 0 : view.whole(name, otherwise),
              },
            }),
          ),
      );
    },
  },
  {
    id: "csv-from-start",
    about: "a table that is continued is read from its first record",
    tests: ["packages/cli/test/stream-sources.test.ts"],
    expects: "a table with an error in the middle resumes after the last chunk before it",
    break: async () => {
      const { CsvColumn } = await import("../../../cli/src/values/csv-column.ts");
      replaceIn(
        CsvColumn.prototype,
        "read",
        (real) =>
          function (this: InstanceType<typeof CsvColumn>, record, values) {
            real.call(this, record, values, 0);
          },
      );
    },
  },
  {
    id: "npy-order",
    about: "an array of columns is read as one of rows",
    tests: ["packages/cli/test/npy.test.ts"],
    expects: "two dimensions in Fortran's order is refused",
    break: () =>
      replaceExport(import("../../../cli/src/values/npy-header.ts"), "readHeader", (real) => (bytes) => ({
        ...real(bytes),
        isFortran: false,
      })),
  },
  {
    id: "stream-one-buffer",
    about: "the next chunk is read into the memory of the current one",
    tests: ["packages/cli/test/stream-sources.test.ts"],
    expects:
      "a column and files of elements are read together; unequal lengths are refused at the end of the shorter one",
    break: async () => {
      const { Buffers } = await import("../../../cli/src/streams/sources/buffers.ts");
      await replaceExport(
        import("../../../cli/src/streams/sources/buffers.ts"),
        "Buffers",
        () =>
          class extends Buffers {
            constructor(_: number, isShared: boolean) {
              super(1, isShared);
            }
          },
      );
    },
  },
  {
    id: "stream-state-early",
    about: "a state is saved before the outputs that it covers are written",
    tests: ["packages/cli/test/stream-order.replaced.test.ts"],
    expects:
      "a chunk is computed after the reads of the next three and the writes of the one before have begun",
    break: async () => {
      const { Checkpoint } = await import("../../../cli/src/streams/checkpoint.ts");
      const { Sink } = await import("../../../cli/src/streams/sink.ts");
      replaceIn(
        Sink.prototype,
        "write",
        (real) =>
          function (this: InstanceType<typeof Sink>, from, outputs, state) {
            (this as unknown as { checkpoint: InstanceType<typeof Checkpoint> }).checkpoint.offer(state);
            return real.call(this, from, outputs, state);
          },
      );
    },
  },
  {
    id: "stream-appended-in-place",
    about: "the elements of a compaction are written at the positions of items",
    tests: ["packages/cli/test/stream-compaction.test.ts"],
    expects:
      "the line index of a text in chunks is the file of one run, and its elements are those of a loop",
    break: async () => {
      const { Appended } = await import("../../../cli/src/streams/appended.ts");
      replaceIn(Appended.prototype, "has", () => () => false);
    },
  },
  {
    id: "exit-code",
    about: "a command that fails exits with 0",
    tests: ["packages/cli/test/commands.test.ts"],
    expects: "explain reports a refusal: of one target as an error, of several beside the other answers",
    break: () => replaceExport(import("../../../cli/src/base/problem.ts"), "exitCodeOf", () => () => 0),
  },
];
