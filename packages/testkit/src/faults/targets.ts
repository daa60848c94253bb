/** Faults of targets: what printers spell, what drivers are passed, threads and ranks of emitted C. */
import { type Fault, replaceExport, replaceIn } from "./fault.ts";

/** A table that a fault may write to. */
type Open<T> = { -readonly [K in keyof T]: T[K] };
const open = <T extends object>(table: T): Open<T> => table as Open<T>;

const SANITIZED = ["packages/target-c/test/sanitized.test.ts"];

export const TARGETS: readonly Fault[] = [
  {
    id: "c-shift",
    about: "C shifts by the width or more, which is undefined",
    tests: SANITIZED,
    expects: "C by gcc under ASan and UBSan conforms every element-wise operator on i32",
    break: async () => {
      const { OPERATORS } = await import("../../../target-c/src/print/spelling/operators.ts");
      replaceIn(open(OPERATORS.binary), "shr", () => (a, b) => `(${a} >> ${b})`);
    },
  },
  {
    id: "c-overflow",
    about: "sums of signed integers overflow in C, which is undefined",
    tests: SANITIZED,
    expects: "C by gcc under ASan and UBSan conforms every element-wise operator on i32",
    break: async () => {
      const { OPERATORS } = await import("../../../target-c/src/print/spelling/operators.ts");
      replaceIn(open(OPERATORS.binary), "add", () => (a, b) => `(${a} + ${b})`);
    },
  },
  {
    id: "openmp-state-kept",
    about: "the state after a chunk is not kept in OpenMP",
    tests: ["packages/target-c/test/chunks-openmp.test.ts"],
    expects: "C in 3 threads carries states chunks of 1000 items have the bits of the whole range",
    break: () =>
      replaceExport(import("../../../target-c/src/files/openmp/chunk.ts"), "printEnded", () => () => {}),
  },
  {
    id: "mpi-order",
    about: "scans from the end begin at the last item of the first rank",
    tests: ["packages/target-c/test/mpi-again.test.ts"],
    expects: "Open MPI, recursive doubling: the functions over arrays, 3 ranks",
    break: () =>
      replaceExport(
        import("../../../target-c/src/files/mpi/operation.ts"),
        "ordered",
        (real) => (text, _, print) => real(text, false, print),
      ),
  },
  {
    id: "cuda-shuffle",
    about: "shuffles of CUDA by a bit read the lane of that number",
    tests: ["packages/target-cuda/test/conformance.test.ts"],
    expects: "CUDA C++ on the CPU conforms line-index: the line index of a text",
    break: async () => {
      const { DIALECT } = await import("../../../target-cuda/src/print/spelling/dialect.ts");
      replaceIn(open(DIALECT.intrinsics), "shuffle-xor", () => DIALECT.intrinsics.shuffle);
    },
  },
  {
    id: "cuda-least-floats",
    about: "CUDA's compiler knows which bits of floats can only be 0 or 1",
    tests: ["packages/target-cuda/test/least-floats.test.ts"],
    expects: "bits that can be 0 or 1 alone, and the least float, pass through the word",
    break: () =>
      replaceExport(
        import("@groupwise/kernel/passes/least-floats.js"),
        "hideLeastFloats",
        () => (module) => module,
      ),
  },
  {
    id: "opencl-comparison",
    about: "OpenCL C's less is less or equal",
    tests: ["packages/target-opencl/test/header.test.ts"],
    expects: "i32 functions give what the reference gives, in groups of every shape",
    break: async () => {
      const { DIALECT } = await import("../../../target-opencl/src/print/spelling.ts");
      replaceIn(open(DIALECT.binary), "lt", () => DIALECT.binary.le);
    },
  },
  {
    id: "wgsl-digits",
    about: "WGSL's literals of f32 have seven digits",
    tests: ["packages/target-wgsl/test/emit.test.ts"],
    expects: "decimal digits are parsed as the same f32, also through a double",
    break: () =>
      replaceExport(
        import("../../../target-wgsl/src/print/spelling.ts"),
        "f32Digits",
        () => (value) => value.toPrecision(7),
      ),
  },
  {
    id: "wgsl-clears",
    about: "arrays keep what they held where a run must begin with zeros",
    tests: ["packages/target-wgsl/test/clears.test.ts"],
    expects: "arrays that start as zeros a kernel clears a short array",
    break: () =>
      replaceExport(import("../../../target-wgsl/src/runtime/clears.ts"), "recordClears", () => () => {}),
  },
  {
    id: "wgsl-parts",
    about: "all parts of a long array are bound to the first range of memory",
    tests: ["packages/target-wgsl/test/lengths.test.ts"],
    expects: "arrays in parts collectives and expressions of u32",
    break: () =>
      replaceExport(
        import("../../../target-wgsl/src/device/parts.ts"),
        "locate",
        (real) => (ranges, cut) => real(ranges, { ...cut, at: 0 }),
      ),
  },
  {
    id: "wgsl-half-word",
    about: "the half in the high bits of a word is read from the low ones",
    tests: ["packages/target-wgsl/test/half-conversions.test.ts"],
    expects: "the text converts both halves of a word where a vec4 is read or written",
    break: () =>
      replaceExport(
        import("@groupwise/kernel/library/types/half-conversions.js"),
        "halfOfWord",
        (real) => (word) => real(word, false),
      ),
  },
  {
    id: "pack-neighbours",
    about: "the store of a packed element clears its neighbours",
    tests: ["packages/target-wgsl/test/recording.test.ts"],
    expects:
      "WGSL on lavapipe keeps arrays and records steps narrow outputs of steps leave the elements behind a slice as they are",
    break: async () => {
      const { u32 } = await import("@groupwise/kernel/language/make-expr.js");
      await replaceExport(
        import("@groupwise/kernel/passes/narrow/field.js"),
        "onesAt",
        () => () => u32(0xffffffff),
      );
    },
  },
  {
    id: "wasm-pairs",
    about: "vectors of floats in WebAssembly combine items two apart in place of neighbours",
    tests: ["packages/target-wasm/test/conformance.test.ts"],
    expects: "WebAssembly conforms normalised: a scan of what a reduce has normalised",
    break: () =>
      replaceExport(import("../../../target-wasm/src/code/vectors.ts"), "vectorCode", (real) => (code, e) => {
        const isPair = e.kind === "permute" && e.right !== undefined && e.type === "f32";
        const moved = (at: number): number => (at & ~3) | ((at & 1) << 1) | ((at >> 1) & 1);
        return real(code, isPair ? { ...e, pattern: e.pattern.map(moved) } : e);
      }),
  },
];
