/** The hosts that `emit --host` writes or copies run pipelines, and return the bits of `run`. */
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emit, type Pipeline, type SourceFile } from "@groupwise/core";
import { stringifyPipeline } from "@groupwise/core/schema";
import { f32, pipeline } from "@groupwise/dsl";
import { hostInPython } from "@groupwise/target-c/host";
import { hostInPython as cudaInPython } from "@groupwise/target-cuda/host";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { hostInPython as openclInPython } from "@groupwise/target-opencl/header";
import { allNames, namedCase, namesIn, TURNS, withNames } from "@groupwise/testkit";
import { deviceTest, inFullRuns, isFullRun } from "@groupwise/testkit/conformance";
import {
  type Found,
  findCc,
  findDawn,
  findOpenCl,
  found,
  missing,
  runProcess,
} from "@groupwise/testkit/devices";
import { expect } from "vitest";
import { toolsOf } from "../../src/base/targets.ts";
import { cli, folder } from "../support.ts";
import { serve } from "./device.ts";
import { bytesOfAll, type HostRun, writeJobs, writtenBy } from "./jobs.ts";
import { type HostJob, JOBS, REFUSED, withItems } from "./pipelines.ts";

const REMEDY = "on Debian: sudo node scripts/setup-devices.mjs";
const nameOf = ({ source }: HostJob): string => source.ir.name;

/** The files of pipelines with a host, in one folder. @param more flags by pipeline */
async function emitted(
  targets: string,
  host: string,
  more: Readonly<Record<string, string>> = {},
  jobs: readonly HostJob[] = JOBS,
): Promise<string> {
  const out = folder();
  for (const job of [...jobs, hostile]) {
    // Comments have the name of the file.
    const document = join(out, `${nameOf(job)} """\n\\N{BULLET} # '''.json`);
    writeFileSync(document, stringifyPipeline(job.source.ir));
    const flags = (more[nameOf(job)] ?? "").split(" ").filter(Boolean);
    const ran = await cli(out, "emit", document, "--target", targets, "--host", host, "--out", out, ...flags);
    expect(ran).toMatchObject({ code: 0, err: "" });
  }
  return out;
}

/** Every job, and those that are refused, with files of a target. @param file its name without the pipeline's */
function runsOf(
  out: string,
  of: (name: string) => string,
  more: readonly HostJob[] = [],
  jobs: readonly HostJob[] = JOBS,
): { runs: readonly HostRun[]; refused: readonly HostRun[] } {
  const run = (job: HostJob, i: number): HostRun => {
    const source = join(out, of(nameOf(job)));
    return { job, source, manifest: `${source}.json`, out: join(out, `results-${i}-${of("")}`) };
  };
  const all = [...jobs, ...more];
  return { runs: all.map(run), refused: REFUSED.map(({ job }, i) => run(job, all.length + i)) };
}

const errorOf = (run: Pick<HostRun, "out">): string => Buffer.from(writtenBy(run).error ?? []).toString();

async function expectResults(
  { runs, refused }: ReturnType<typeof runsOf>,
  language?: "python",
): Promise<void> {
  const runtime = jsRuntime();
  for (const run of runs) {
    const program = await runtime.compile(run.job.source);
    const want = bytesOfAll(await program.run(run.job.values as never, run.job.options));
    expect(writtenBy(run), run.source).toEqual(want);
  }
  for (const [i, { message, ...own }] of REFUSED.entries())
    expect(errorOf(refused[i] as HostRun), refused[i]?.source).toContain(
      (language && own[language]) ?? message,
    );
}

/** A Python that has pyopencl: the system's, before another on the path. */
async function findPython(): Promise<Found<{ python: string; env: Readonly<Record<string, string>> }>> {
  const pocl = findOpenCl("pocl");
  if (!pocl.found) return pocl;
  for (const python of ["/usr/bin/python3", "python3"].filter(
    (name) => !name.startsWith("/") || existsSync(name),
  )) {
    const ran = await runProcess(python, ["-c", "import numpy, pyopencl"]).catch(() => undefined);
    if (ran?.code === 0) return found({ python, env: { ...pocl.value.env, PYOPENCL_NO_CACHE: "1" } });
  }
  return missing("Python has no pyopencl and numpy", REMEDY);
}

/** Numbers of items: none, one, and around a tile. */
const LENGTHS = [0, 1, 1023, 1025];
/** Flags for pipelines of which OpenCL C has another form. */
const STRATEGIES = { weighted: "--cores 4", longs: "--look-back" };

/** A document whose names are words of Python and of modules, in every role. */
const PYTHON_WORDS =
  "None class lambda del yield async self cls np run Results size offset queue stream device values min max len int tuple math List v p";
const named = withNames(namedCase("line-index"), PYTHON_WORDS.split(" "), 1);
const hostile: HostJob = { source: named, values: named.values(100) as HostJob["values"] };

/** Both other forms, elements in words, and what is written past an end. */
const ON_OPENCL = ["weighted", "longs", "halves", "kept"];

/** Jobs that take any number of items. */
const RESIZED = ["line-index", "weighted", "masks", "longs", "halves", "kept", "rows", "narrow", "greatest"];

const sums = pipeline("in-place", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));

deviceTest("modules of Python run C and OpenCL C", findPython, async ({ python, env }) => {
  const refused = REFUSED.map(({ job }) => nameOf(job));
  const onOpenCl = JOBS.filter((job) => isFullRun() || [...ON_OPENCL, ...refused].includes(nameOf(job)));
  const [c, opencl] = [await emitted("c", "python"), await emitted("opencl", "python", STRATEGIES, onOpenCl)];
  const inPlace = emit(sums, toolsOf("c").target, { inPlace: { y: "x" } });
  for (const { path, text } of [...inPlace.files, ...hostInPython(inPlace)])
    writeFileSync(join(c, path), text);
  const more = JOBS.filter((job) => RESIZED.includes(nameOf(job))).flatMap((job) =>
    LENGTHS.map((n) => withItems(job, n)),
  );
  more.push(hostile);
  const all = [
    runsOf(c, (name) => `gw_${name}.c`, more),
    // Outside of full runs the module for C has the others: both have their types and sizes from manifests.
    isFullRun()
      ? runsOf(opencl, (name) => `${name}.cl`, more)
      : runsOf(
          opencl,
          (name) => `${name}.cl`,
          [hostile],
          JOBS.filter(({ source }) => ON_OPENCL.includes(source.ir.name)),
        ),
  ];
  const jobs = writeJobs(
    all.flatMap(({ runs, refused }) => [...runs, ...refused]),
    c,
  );
  // The loops are short: a compiler that does not optimise. What it is asked for, `target-c` has.
  const cc = join(folder(), "cc");
  writeFileSync(cc, '#!/bin/sh\nexec cc "$@" -O0\n', { mode: 0o755 });
  const around = { ...env, XDG_CACHE_HOME: folder(), ...(!isFullRun() && { CC: cc }) };
  const driver = join(import.meta.dirname, "python/driver.py");
  const ran = await runProcess(python, ["-W", "error", driver, jobs, c, opencl], { env: around });
  expect(ran).toMatchObject({ code: 0, stderr: "", stdout: "" });
  for (const runs of all) await expectResults(runs, "python");
});

/** What Python has names for: words, functions and modules. */
const WORDS =
  "import builtins, keyword, sys; print(*keyword.kwlist, *dir(builtins), *sys.stdlib_module_names)";
/** Imports every module of folders, and prints names of files that hide a module of Python. */
const IMPORT = `
import pathlib, runpy, sys
for path in sorted(path for folder in sys.argv[1:] for path in pathlib.Path(folder).glob("*.py")):
    names = runpy.run_path(str(path))
    assert callable(names["run"]), path
    if path.stem.lower() in {name.lower() for name in sys.stdlib_module_names}:
        print(path.stem)
`;

const MODULES = { c: hostInPython, opencl: openclInPython, cuda: cudaInPython };
const MODULE_TARGETS = ["c", "opencl", "cuda"] as const;
const modulesOf = (ir: Pipeline, target: keyof typeof MODULES): readonly SourceFile[] =>
  MODULES[target](emit(ir, toolsOf(target).target));

deviceTest("documents of names that Python has become modules", findPython, async ({ python }) => {
  const { stdout } = await runProcess(python, ["-c", WORDS]);
  const own = MODULE_TARGETS.flatMap((target) => modulesOf(namedCase("line-index").ir, target));
  const words = namesIn([stdout, ...own.map(({ text }) => text)]);
  expect(words.length).toBeGreaterThan(400);
  // Outside of full runs each target has a third of the words, by turns.
  const folders = MODULE_TARGETS.map((target, turn) => {
    const out = folder();
    const documents = allNames(words, 100, isFullRun() ? TURNS : 1);
    for (const { ir } of documents.filter((_, i) => isFullRun() || i % 3 === turn))
      for (const { path, text } of modulesOf(ir, target)) writeFileSync(join(out, path), text);
    return out;
  });
  const ran = await runProcess(python, ["-W", "error", "-c", IMPORT, ...folders]);
  expect(ran).toMatchObject({ code: 0, stderr: "", stdout: "" });
});

/** Of version 1.0, Debian's, which reports that the types of `run` overlap; later ones do not. */
const MYPY = ["--strict", "--disable-error-code=misc", "--no-error-summary"];

async function findMypy(): Promise<Found<string>> {
  const python = await findPython();
  if (!python.found) return python;
  const ran = await runProcess("mypy", ["--version"]).catch(() => undefined);
  return ran?.code === 0 ? found("mypy") : missing("mypy is not installed", REMEDY);
}

deviceTest(
  "hints of modules are checked, and check their users",
  inFullRuns("mypy reads the types of NumPy", findMypy),
  async (mypy) => {
    for (const target of MODULE_TARGETS) {
      const out = folder();
      for (const { source } of JOBS)
        for (const { path, text } of modulesOf(source.ir, target)) writeFileSync(join(out, path), text);
      cpSync(join(import.meta.dirname, "python/uses.py"), join(out, "uses.py"));
      const ran = await runProcess(mypy, [...MYPY, `--cache-dir=${folder()}`, "."], { cwd: out });
      expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: "", stdout: "" });
    }
  },
);

/** Why only full runs build the hosts in C++ and Rust. */
const COMPILED = "half a minute of compilers";

/** Includes nothing: compiling the header to look for it takes half a second. */
const HAS_JSON = "#if !__has_include(<nlohmann/json.hpp>)\n#error\n#endif\n";

/** A compiler of C++ that finds OpenCL's headers and library and nlohmann/json, and PoCL. */
async function findCxx(): Promise<Found<Readonly<Record<string, string>>>> {
  const [cc, pocl] = [await findCc(), findOpenCl("pocl")];
  if (!cc.found) return cc;
  if (!pocl.found) return pocl;
  const looked = await runProcess("g++", ["-E", "-x", "c++", "-"], { input: HAS_JSON }).catch(
    () => undefined,
  );
  if (looked === undefined) return missing("g++ is not installed", REMEDY);
  return looked.code === 0 ? found(pocl.value.env) : missing("nlohmann/json is not installed", REMEDY);
}

/** Manifests that do not fit, made from one that does. The host in C++ reads `params` when it runs. */
const UNFIT: readonly ((manifest: string) => string)[] = [
  (manifest) => manifest.slice(0, -3),
  () => "[]",
  (manifest) => manifest.replaceAll('"passes"', '"steps"'),
  (manifest) => manifest.replaceAll('"params"', '"numbers"'),
];

/** Adds jobs with these manifests. */
const addUnfit = (jobs: string, { manifest, source, out }: HostRun): readonly Pick<HostRun, "out">[] =>
  UNFIT.map((change, i) => {
    const run = { manifest: `${manifest}.${i}`, source, out: `${out}.${i}` };
    writeFileSync(run.manifest, change(readFileSync(manifest, "utf8")));
    mkdirSync(run.out);
    appendFileSync(jobs, `job unfit-${i}\nrun ${run.manifest} ${run.source} ${run.out}\n`);
    return run;
  });

const CXX = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"];

deviceTest("the host in C++ runs OpenCL C", inFullRuns(COMPILED, findCxx), async (env) => {
  const out = await emitted("opencl", "cpp");
  const { runs, refused } = runsOf(out, (name) => `${name}.cl`);
  const jobs = writeJobs([...runs, ...refused], out);
  const unfit = addUnfit(jobs, runs[0] as HostRun);
  const program = join(out, "driver");
  const files = [join(import.meta.dirname, "driver.cpp"), "-I", out, "-lOpenCL", "-o", program];
  expect(await runProcess("g++", [...CXX, ...files])).toMatchObject({ code: 0, stderr: "" });
  expect(await runProcess(program, [jobs], { env })).toMatchObject({ code: 0, stderr: "", stdout: "" });
  await expectResults({ runs, refused });
  for (const run of unfit) expect(errorOf(run)).toContain("the manifest does not fit");
});

/** Debian's crates, in place of a registry. */
const CRATES = "/usr/share/cargo/registry";
const OFFLINE = [
  ...["--offline", "--quiet", "--config", 'source.crates-io.replace-with="debian"'],
  ...["--config", `source.debian.directory=${JSON.stringify(CRATES)}`],
];

async function findRust(): Promise<Found<GPUDevice>> {
  const ran = await runProcess("cargo", ["--version"]).catch(() => undefined);
  if (ran?.code !== 0) return missing("cargo is not installed", REMEDY);
  if (!existsSync(CRATES)) return missing("Debian's crate serde_json is not installed", REMEDY);
  const dawn = await findDawn({ adapter: "lavapipe" });
  return dawn.found ? found(dawn.value.device) : dawn;
}

// Debian has no crate of wgpu: one with the functions that the host calls stands in front of Dawn.
deviceTest("the host in Rust runs WGSL", inFullRuns(COMPILED, findRust), async (device) => {
  const out = await emitted("wgsl", "rust", { "line-index": "--parts text=4 --part-bytes 1024" });
  const { runs, refused } = runsOf(out, (name) => `${name}.wgsl`);
  const jobs = writeJobs([...runs, ...refused], out);
  const crate = join(out, "rust");
  cpSync(join(import.meta.dirname, "rust"), crate, { recursive: true });
  cpSync(join(out, "groupwise_host.rs"), join(crate, "groupwise_host.rs"));
  expect(await runProcess("cargo", ["build", ...OFFLINE], { cwd: crate })).toMatchObject({
    code: 0,
    stderr: "",
  });
  await serve(device, join(crate, "target/debug/driver"), [jobs]);
  await expectResults({ runs, refused });
  device.destroy();
});
