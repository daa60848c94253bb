/** Faults of what is built on the core: the builder, primitives, columns of Arrow, models of ONNX, the command line. */
import { type Fault, replaceExport, replaceIn } from "./fault.ts";

const PROPERTIES = ["packages/primitives/test/properties.test.ts"];
const ONNX = ["packages/cli/test/onnx/models.test.ts"];

export const OUTSIDE: readonly Fault[] = [
  {
    id: "builder-bits",
    about: "bitmaps of the host begin with the highest bit of a word",
    tests: ["packages/dsl/test/bits.test.ts"],
    expects: "bits on the host are packed from the lowest bit of each word, and unpacked again",
    break: () =>
      replaceExport(import("../../../dsl/src/base/bitmaps.ts"), "packBits", (real) => (values) => {
        const turned = (_: number, i: number): boolean => Boolean(values[(i & ~31) | (31 - (i & 31))]);
        return real(Array.from({ length: values.length }, (_, i) => turned(0, i)));
      }),
  },
  {
    id: "builder-narrow",
    about: "a pipeline that is applied to a value takes more than its narrow input holds",
    tests: ["packages/dsl/test/narrow.test.ts"],
    expects: "a narrow type of an input narrows the values that the pipeline is applied to, as its own run does",
    break: () =>
      replaceExport(import("../../../dsl/src/build/narrow.ts"), "heldBy", () => (_, value) => value),
  },
  {
    id: "builder-seed",
    about: "a collective takes no seed",
    tests: ["packages/dsl/test/operator.test.ts"],
    expects: "options of collectives combine the seed before the first item, and return the seed for an empty prefix",
    break: () =>
      replaceExport(
        import("../../../dsl/src/build/collective.ts"),
        "settingOf",
        (real) => (...given) => ({ ...real(...given), seed: undefined }),
      ),
  },
  {
    id: "runs-first",
    about: "the first item of all begins no run",
    tests: PROPERTIES,
    expects: "unique i32 equals a plain loop and the reference, bit for bit",
    break: () =>
      replaceExport(
        import("../../../primitives/src/base/runs.ts"),
        "startsRun",
        (real) => (key, place) => real(key, place).and(place.index().ne(0)),
      ),
  },
  {
    id: "compaction-inclusive",
    about: "runs end one item early, so that compacted elements lie one place off",
    tests: PROPERTIES,
    expects: "run-length encode u32 equals a plain loop and the reference, bit for bit",
    break: () =>
      replaceExport(
        import("../../../primitives/src/base/runs.ts"),
        "endsRun",
        (_, { startsRun }) => startsRun,
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
    id: "sort-nan",
    about: "a descending sort puts NaN first",
    tests: ["packages/primitives/test/radix-sort.test.ts"],
    expects: "radix sort in JavaScript f32, down: any n, any keys, stable",
    break: async () => {
      const { u32 } = await import("../../../dsl/src/index.ts");
      await replaceExport(
        import("../../../primitives/src/radix/order.ts"),
        "keyOf",
        (real) => (type, descending) => {
          const key = real(type, descending);
          if (!descending || type.type !== "f32") return key;
          const up = real(type, false);
          const turn = (bits: ReturnType<typeof up.encode>) => (bits as ReturnType<typeof u32>).not();
          return { ...key, encode: (value) => turn(up.encode(value)), decode: (bits) => up.decode(turn(bits)) };
        },
      );
    },
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
    id: "arrow-nulls-lost",
    about: "results of nulls are values",
    tests: ["packages/arrow/test/nulls.test.ts"],
    expects: "a null is the identity of every collective, not 0",
    break: () =>
      replaceExport(import("../../../arrow/src/validity.ts"), "validityOf", () => () => undefined),
  },
  {
    id: "onnx-wraps",
    about: "integers of 8 and 16 bits do not wrap",
    tests: ONNX,
    expects: "'int8 wraps between nodes'",
    break: () =>
      replaceExport(import("../../../cli/src/onnx/value.ts"), "wrapped", () => (value) => value),
  },
  {
    id: "onnx-reverse",
    about: "CumSum ignores its direction",
    tests: ONNX,
    expects: "'CumSum 01'",
    break: async () => {
      const { SCANS } = await import("../../../cli/src/onnx/scan.ts");
      replaceIn(SCANS as Record<string, NonNullable<(typeof SCANS)[string]>>, "CumSum", (real) => (view) =>
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
];
