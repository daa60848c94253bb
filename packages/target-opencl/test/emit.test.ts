import { type EmitOptions, emit, type Pipeline, type PipelineSource } from "@groupwise/core";
import { bool, f16, f32, f64, i32, i64, param, pipeline, u32, u64 } from "@groupwise/dsl";
import { CASES, collectivesOf, SCOPES, typesOf } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import {
  type ClangOptions,
  checkWithClang,
  findClang,
  formatReports,
  type ReportedFile,
} from "@groupwise/testkit/devices";
import { describe, expect, test } from "vitest";
import { opencl, openclCapabilities } from "../src/index.ts";

const sum = pipeline("sum", { x: f32, scale: param(f32) }, ({ x, scale }) => ({
  total: x.mul(scale).reduce("add"),
}));
const mean = pipeline("mean", { x: f32 }, ({ x }, { size }) => ({
  mean: x.reduce("add").div(size().toF32()),
}));
const textOf = (source: Parameters<typeof emit>[0], capabilities = opencl.capabilities): string =>
  emit(source, opencl, { capabilities }).files[0]?.text as string;

/** Every so many of a list; all of it in full runs. The interpreter has the kernels of all. */
const inTurn = <T>(list: readonly T[], turn: number, turns: number): readonly T[] =>
  list.filter((_, i) => isFullRun() || i % turns === turn);

/** The names of a kernel's arguments, as written in the text. */
function argumentsIn(text: string, kernel: string): string[] {
  const [, list = ""] = new RegExp(`void ${kernel}\\(\n([^{]*)\\{`).exec(text) ?? [];
  return list.split("\n").flatMap((line) => /(\w+)[,)] \/\//.exec(line)?.[1] ?? []);
}

describe("an emitted file", () => {
  test("names its generator, its command, its options and its passes, the same every time", () => {
    const artifact = emit(sum, opencl);
    const [source, manifest] = artifact.files;
    expect(artifact.files.map(({ path }) => path)).toEqual(["sum.cl", "sum.cl.json"]);
    expect(source?.text).toMatch(
      /^\/\/ sum: made by groupwise \S+\. .*\n\/\/ {3}groupwise emit sum --target opencl\n/,
    );
    expect(source?.text).toContain("#pragma OPENCL FP_CONTRACT OFF\n");
    expect(source?.text).toContain(artifact.manifest.flags.buildOptions);
    for (const pass of artifact.manifest.passes) expect(source?.text).toContain(`//   ${pass.entryPoint}: `);
    expect(JSON.parse(manifest?.text ?? "")).toEqual(JSON.parse(JSON.stringify(artifact.manifest)));
    expect(emit(sum, opencl)).toEqual(artifact);
  });

  describe.each([
    ["a slot of one word", f16, "uint load_atomic", "return *address;", "return atomic_or(address, 0u);"],
    [
      "of two words",
      u32,
      "uint2 load_atomic_2",
      "ld.volatile.global.v2.u32 {%0, %1}, [%2];",
      "address + 1, ",
    ],
    [
      "of four",
      i64,
      "uint4 load_atomic_4",
      "ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];",
      "address + 3, ",
    ],
  ] as const)("words that other work-items change, %s", (_, type, load, ofNvidia, ofOthers) => {
    const scan = pipeline("scan", { x: type as typeof u32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
    const bodyOf = (text: string, head: string): string =>
      new RegExp(`\\n${head}\\(volatile __global uint\\* const address.*?\\n}\\n`, "s").exec(text)?.[0] ?? "";
    const STORE = "void store_atomic";

    test.each([{ lookBack: true }, { lookBack: true, subgroups: 32 }])(
      "are loaded and stored by one function each, of volatile accesses for NVIDIA's compiler: %j",
      (options) => {
        const text = emit(scan, opencl, options).files[0]?.text ?? "";
        const [loaded, stored] = [bodyOf(text, load), bodyOf(text, STORE)];
        const [plain, atomic] = loaded.split("#else");
        expect(plain).toContain("#ifdef __NV_CL_C_VERSION");
        expect(plain).toContain(ofNvidia);
        expect(plain).not.toContain("atomic_or");
        expect(atomic).toContain(ofOthers);
        expect(stored).toMatch(
          /#ifdef __NV_CL_C_VERSION\n *\*address = value;.*\n#else\n *atomic_xchg\(address, value\);/,
        );
        expect(text).toContain(`${load.split(" ")[1]}(&status[`);
        expect(text).toContain("store_atomic(&status[");
        // No other atomic operation reads a word to learn its value, or writes one.
        expect(text.replace(loaded, "").replace(stored, "")).not.toMatch(/atomic_or|atomic_xchg/);
      },
    );

    test("are absent where no pass looks back", () => {
      expect(textOf(scan)).not.toMatch(/load_atomic|store_atomic/);
    });
  });

  test.each([
    ["u32", u32, {}, 256],
    ["f16 in pairs", f16, {}, 128],
    ["f16", f16, { types: ["f16"] }, 256],
    ["i64", i64, {}, 128],
    ["u64", u64, {}, 128],
    ["f64 in words", f64, {}, 128],
    ["f64", f64, { types: ["f64"] }, 128],
  ] as const)(
    "looks back for a sum of %s in work-groups of the size for its words",
    (_, type, given, size) => {
      const scan = pipeline("scan", { x: type as typeof u32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
      const text = emit(scan, opencl, { lookBack: true, subgroups: 32, ...given }).files[0]?.text ?? "";
      expect([...text.matchAll(/reqd_work_group_size\((\d+)/g)].map(([, found]) => Number(found))).toEqual([
        size,
      ]);
    },
  );

  test("converts halves in registers for subgroups of 32, which GPUs have, and by integers for any device", () => {
    const scan = pipeline("scan", { x: f16 }, ({ x }) => ({ y: x.scanInclusive("add") }));
    const CONVERSIONS = /\bv(load_half|store_half2?_rte)\(/g;
    const conversionsIn = (options: EmitOptions): readonly string[] => {
      const { files, manifest } = emit(scan, opencl, options);
      // The language guarantees them: no device is tested.
      expect(manifest.requires.filter((name) => name.includes("half"))).toEqual([]);
      return [...new Set((files[0]?.text ?? "").match(CONVERSIONS) ?? [])].sort();
    };
    expect(conversionsIn({})).toEqual([]);
    expect(conversionsIn({ subgroups: true, lookBack: true })).toEqual([]);
    expect(conversionsIn({ subgroups: 32, lookBack: true, types: ["f16"] })).toEqual([]);
    expect(conversionsIn({ subgroups: 32, lookBack: true })).toEqual([
      "vload_half(",
      "vstore_half2_rte(",
      "vstore_half_rte(",
    ]);
    // A caller who states all capabilities has what is stated.
    expect(conversionsIn({ subgroups: 32, capabilities: opencl.capabilities })).toEqual([]);
  });

  test("adds indexes that cannot wrap in the bits of addresses, so that compilers keep one address for several elements", () => {
    const sort = pipeline("sort", { keys: u32, values: f32 }, ({ keys, values }) => {
      const to = keys.shr(28).rank({ bins: 16 });
      return { sorted: keys.scatter({ to }), moved: values.scatter({ to }) };
    });
    const [source] = emit(sort, opencl).files;
    for (const name of ["keys", "values"])
      expect(
        [...(source?.text ?? "").matchAll(new RegExp(`\\b${name}\\[(.*?)\\]`, "g"))].map(([, at]) => at),
      ).toContain("(size_t)start + (round * 32u)");
  });

  test("saturates a conversion for a CPU unless a condition keeps it in range", () => {
    const capabilities = { ...openclCapabilities({ chunks: { most: 16, least: 65536 } }), expand: [] };
    const conversionsIn = (isKept: boolean): readonly string[] => {
      const bins = pipeline("bins", { x: f32, w: u32 }, ({ x, w }) => {
        const where = isKept ? x.ge(0).and(x.lt(8)) : x.lt(8);
        return { sums: w.scatter({ to: x.toU32(), where, capacity: 8, combine: "add" }) };
      });
      const text = emit(bins, opencl, { capabilities }).files[0]?.text ?? "";
      return [...new Set(text.match(/convert_uint_sat|\(uint\)x\w*/g) ?? [])];
    };
    expect(conversionsIn(true)).toEqual(["(uint)x_i"]);
    expect(conversionsIn(false)).toEqual(["convert_uint_sat"]);
  });

  test("initialises at most 64 elements of arrays in a kernel of chunks, of which compilers may make a store for each", () => {
    const capabilities = openclCapabilities({ chunks: { most: 16, least: 8 }, fp16: true, fp64: true });
    const texts = inTurn(CASES, 0, 6)
      .map(({ ir }) => textOf(ir, capabilities))
      .filter((text) => text.includes("// Strategy: chunks"));
    const kernels = texts.flatMap((text) => text.split("__kernel").slice(1));
    const counts = kernels.map((text) =>
      [...text.matchAll(/\[(\d+)\] = \{0\}/g)].reduce((sum, [, length]) => sum + Number(length), 0),
    );
    expect(kernels.filter((text) => text.includes("element < ")).length).toBeGreaterThan(5);
    expect(Math.max(...counts)).toBeLessThanOrEqual(64);
  });

  test("combines integers of 32 work-items by an instruction if the build options say that the device has it", () => {
    const reductionsIn = (scan: PipelineSource, options: EmitOptions): readonly string[] => {
      const { files } = emit(scan, opencl, { lookBack: true, ...options });
      return [
        ...new Set((files[0]?.text ?? "").match(/redux\.sync\.\w+\.\w+|#ifdef GROUPWISE_REDUX/g) ?? []),
      ];
    };
    const sums = pipeline("scan", { x: i32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
    const least = pipeline("scan", { x: i32 }, ({ x }) => ({ y: x.scanInclusive("min") }));
    const floats = pipeline("scan", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
    const guard = "#ifdef GROUPWISE_REDUX";
    expect(reductionsIn(sums, { subgroups: 32 })).toEqual([
      guard,
      "redux.sync.add.s32",
      "redux.sync.min.u32",
    ]);
    expect(reductionsIn(least, { subgroups: 32 })).toEqual([
      guard,
      "redux.sync.min.s32",
      "redux.sync.min.u32",
    ]);
    // The least number of a missing slot; the order of floats is fixed.
    expect(reductionsIn(floats, { subgroups: 32 })).toEqual([guard, "redux.sync.min.u32"]);
    expect(reductionsIn(sums, { subgroups: true })).toEqual([]);
  });

  test("contains the caller's command in a comment that the command cannot end", () => {
    const [source] = emit(sum, opencl, { command: "emit \\\n} evil(" }).files;
    expect(source?.text.split("\n")[1]).toBe("//   emit /?} evil(");
  });

  test("takes arguments in the manifest's order, scalars before arrays, without unused ones", () => {
    for (const { ir: source } of inTurn(CASES, 0, 16)) {
      const { files, manifest } = emit(source, opencl);
      for (const pass of manifest.passes) {
        const names = [...pass.params, ...pass.bindings.map(({ name }) => name)];
        const written = argumentsIn(files[0]?.text as string, pass.entryPoint);
        expect(written.map((name) => name.replace(/_$/, ""))).toEqual(names);
      }
    }
    expect(emit(sum, opencl).manifest.passes.filter((pass) => pass.params.includes("scale"))).not.toEqual([]);
  });
});

describe("names", () => {
  test("that are words of the text get an underscore in the text only", () => {
    const named = pipeline("named", { min: u32 }, ({ min }) => ({ max: min.reduce("max") }));
    const { files, manifest } = emit(named, opencl);
    expect(files[0]?.text).toMatch(/__global const uint\* restrict min_[,)]/);
    expect(files[0]?.text).toMatch(/= max\(/);
    expect(manifest.bindings.map(({ name }) => name)).toEqual(expect.arrayContaining(["min", "max"]));
  });
});

describe("division of floats", () => {
  test("is exact if no device is known, and has no requirement", () => {
    const { manifest, files } = emit(mean, opencl);
    expect(manifest).toMatchObject({
      requires: [],
      flags: { divide: "exact", buildOptions: "-cl-std=CL1.2" },
    });
    expect(files[0]?.text).toContain("float div_f32(");
  });

  test("is native on request, and then requires the build option", () => {
    const { manifest, files } = emit(mean, opencl, {
      capabilities: openclCapabilities({ divide: "native" }),
    });
    expect(manifest.requires).toEqual(["correctly-rounded-divide"]);
    expect(manifest.flags.buildOptions).toContain("-cl-fp32-correctly-rounded-divide-sqrt");
    expect(files[0]?.text).not.toContain("div_f32");
  });

  test("has no requirement in a pipeline without division", () => {
    const { manifest } = emit(sum, opencl, { capabilities: openclCapabilities({ divide: "native" }) });
    expect(manifest.requires).toEqual([]);
    expect(manifest.flags.buildOptions).toBe("-cl-std=CL1.2");
  });
});

describe("clang accepts as OpenCL C 1.2 and 3.0, without a warning,", () => {
  const tiles = [
    opencl.capabilities.tile,
    { workGroupSize: 1, itemsPerWorkItem: 8 },
    { workGroupSize: 8, itemsPerWorkItem: 1 },
  ];
  const variants = tiles.flatMap((tile) =>
    (["exact", "native"] as const).map((divide) => ({ ...openclCapabilities({ divide }), tile })),
  );
  const signature = { x: f32, k: u32, p: bool, q: param(bool), unused: param(f32) };
  const odd = pipeline("odd", signature, ({ x, k, p, q }) => ({
    self: x.eq(x).and(k.eq(k)).or(k.lt(k)),
    none: p.xor(p).or(p.ne(p)).or(q.xor(q)).or(q.ne(q)),
    least: k.ge(0).xor(p).not(),
    max: x.reduce("max"),
    fixed: f32(1).add(2),
  }));

  const check = async (files: readonly ReportedFile[], options: ClangOptions = {}): Promise<void> => {
    const reports = await checkWithClang(files, options);
    expect(formatReports(reports)).toBe("");
    expect(reports.every(({ ok }) => ok)).toBe(true);
  };

  // One of thirty-six: others have an option below.
  deviceTest("named pipelines, in the variants by turns, in every one in full runs", findClang, () =>
    check(
      [odd, ...CASES.map(({ ir }) => ir)].flatMap((source, i) =>
        variants
          .filter((_, v) => isFullRun() || 36 * v === i % (36 * variants.length))
          .map((capabilities, v) => ({ name: `${i}/${v}`, code: textOf(source, capabilities) })),
      ),
    ),
  );

  deviceTest("every collective of every type by itself", findClang, () => {
    const pipelines: Pipeline[] = typesOf(opencl.capabilities).flatMap((type) =>
      SCOPES.flatMap((scope) =>
        [1, 100].map((workGroupSize) => collectivesOf({ type, scope, workGroupSize, broadcast: [0] })),
      ),
    );
    // More in one kernel than a device has memory for: only its text is read.
    const capabilities = { ...opencl.capabilities, workGroupMemory: 2 ** 20 };
    // Every 20th one, save in full runs: PoCL compiles more of them.
    const files = inTurn(pipelines, 0, 20).map((source, i) => ({
      name: String(i),
      code: textOf(source, capabilities),
    }));
    // Named pipelines are read in each version of the language.
    return check(files, isFullRun() ? {} : { standards: ["CL1.2"] });
  });

  const OPTIONS: readonly EmitOptions[] = [
    { native: false },
    { lookBack: true },
    { types: ["f16", "f64"] },
    { types: ["f16", "f64"], lookBack: true },
  ];
  const SUBGROUPS: readonly EmitOptions[] = [
    { subgroups: true },
    { subgroups: 32, lookBack: true },
    { subgroups: true, types: ["f16", "f64"], native: false },
  ];
  /** Texts of every thirty-sixth pipeline in one of the options by turns, of all in all of them in full runs. */
  const textsIn = (all: readonly EmitOptions[], turn: number): { name: string; code: string }[] => {
    const pipelines = [
      ...CASES.map(({ ir }) => ir),
      ...typesOf(opencl.capabilities).flatMap((type) =>
        SCOPES.map((scope) => collectivesOf({ type, scope, workGroupSize: 64, broadcast: [0] })),
      ),
    ];
    const texts = inTurn(pipelines, turn, 36).flatMap((source, i) =>
      all
        .filter((_, o) => isFullRun() || o === i % all.length)
        .map((options) => {
          // More in one kernel than a device has memory for: only its text is read.
          const capabilities = { ...opencl.capabilities, workGroupMemory: 2 ** 20 };
          return emit(source, opencl, { ...options, capabilities }).files[0]?.text as string;
        }),
    );
    return texts.map((code, i) => ({ name: `${i} ${code.split("\n")[0]}`, code }));
  };
  const COLLECTIVES = "__opencl_c_work_group_collective_functions";

  deviceTest("every pipeline with what emitting can be told", findClang, async () => {
    const files = textsIn(OPTIONS, 0);
    await check(files);
    const native = { standards: ["CL3.0"], features: [COLLECTIVES] } as const;
    expect(formatReports(await checkWithClang(inTurn(files, 0, 2), native))).toBe("");
  });

  deviceTest(
    "every pipeline for subgroups, which OpenCL C has since 2.0, with and without its own functions",
    findClang,
    async () => {
      const files = textsIn(SUBGROUPS, 1).filter(({ code }) => code.includes("sub_group"));
      expect(files.length).toBeGreaterThan(isFullRun() ? 5 : 1);
      const features = ["__opencl_c_subgroups", "cl_khr_subgroups", "cl_khr_subgroup_shuffle"];
      for (const [turn, more] of [[], [COLLECTIVES]].entries()) {
        const reports = await checkWithClang(inTurn(files, turn, 2), {
          standards: ["CL3.0"],
          features: [...features, ...more],
        });
        expect(formatReports(reports)).toBe("");
      }
    },
  );
});
