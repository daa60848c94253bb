/** The implementations of the matrix: one row each. */
import { existsSync } from "node:fs";
import type { Effort } from "@groupwise/testkit";
import {
  type Found,
  findClang,
  findCommand,
  findDeno,
  findOpenCl,
  found,
  missing,
  versionOf,
  vulkanDrivers,
  vulkanEnvironment,
} from "@groupwise/testkit/devices";
import { fetched, findBun, findNode, findNodeForArm, type NODES } from "@groupwise/testkit/packed";
import {
  type Command,
  commandIn,
  type Engine,
  inBrowser,
  inEngine,
  node,
  programInRoot,
  type Root,
  type Start,
} from "./starts.ts";

export interface Implementation {
  readonly name: string;
  readonly group: "WebGPU" | "OpenCL" | "NVIDIA" | "C compilers" | "WebAssembly";
  readonly start: Start;
  /** Of the checks of the suite. Default: `normal`. */
  readonly effort?: Effort;
  /** Random pipelines that are compiled as one; default: 1. Where a compilation starts a process, or costs more than its kernels. */
  readonly batch?: number;
  /** The clang that also reads emitted texts. */
  readonly clang?: () => Found<Command>;
}

/** A random pipeline of clang takes 27 to 52 ms, alone 125 to 290; of PoCL 380, alone 480. On lavapipe and rusticl sixteen as one take longer than one by one. */
const BATCH = 16;
const BUN_WEBGPU = "bun-webgpu@0.1.7";
const NO_DRIVER = "/nonexistent";
const FOR_MATRIX = "run: sudo node scripts/setup-devices.mjs --matrix";

const mapped = <A, B>(one: Found<A>, map: (value: A) => B): Found<B> =>
  one.found ? found(map(one.value)) : one;

/** The environment with a Vulkan driver: of this system, or of the root in which the program runs. */
function vulkan(name: "lavapipe" | "swiftshader", root?: Root): Found<Record<string, string>> {
  if (root !== undefined) return found(vulkanEnvironment("/usr/share/vulkan/icd.d/lvp_icd.json"));
  const driver = vulkanDrivers().find((one) => one.name === name);
  return driver ? found(vulkanEnvironment(driver.file)) : missing(`no Vulkan driver of ${name} is installed`);
}

const dawn = (driver: "lavapipe" | "swiftshader", root?: Root): Start =>
  inEngine("dawn", async () => {
    const [command, env] = [node(root), vulkan(driver, root)];
    if (!command.found) return command;
    return mapped(env, (value) => ({
      command: command.value,
      env: value,
      version: `webgpu ${versionOf("webgpu")}`,
    }));
  });

/** The only OpenCL driver of a root, by the name of its file. */
const openClIn = (root: Root, vendor: string, env: Engine["env"] = {}): Start =>
  inEngine("opencl", async () =>
    mapped(node(root), (command) => ({
      command,
      env: { OCL_ICD_VENDORS: `/etc/OpenCL/vendors/${vendor}.icd`, ...env },
    })),
  );
const RUSTICL = { RUSTICL_ENABLE: "llvmpipe" };
/** Its optimiser makes intrinsics that it does not simulate, and it counts memory of other kernels (`findings/oclgrind-local-memory-by-name.sh`). */
const OCLGRIND = { OCLGRIND_BUILD_OPTIONS: "-cl-opt-disable", OCLGRIND_LOCAL_MEM_SIZE: `${2 ** 20}` };
const openClHere = (platform: "pocl" | "oclgrind", env: Engine["env"] = {}): Start =>
  inEngine("opencl", async () =>
    mapped(findOpenCl(platform), (one) => ({ ...one, env: { ...one.env, ...env } })),
  );

const DENO = ["run", "--allow-all", "--no-config"] as const;
const deno = (env: () => Found<Record<string, string>>): Start =>
  inEngine("web", async () => {
    const [engine, driver] = [findDeno(), env()];
    if (!engine.found) return engine;
    return mapped(driver, (value) => ({
      command: [engine.value.program, ...DENO, "--unstable-webgpu"],
      env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...value },
      version: `deno ${versionOf("deno")}`,
    }));
  });

const bun: Start = inEngine("web", async () => {
  const [engine, modules, driver] = [await findBun(), await fetched(BUN_WEBGPU), vulkan("lavapipe")];
  if (!engine.found) return engine;
  if (!modules.found) return modules;
  return mapped(driver, (value) => ({
    command: [engine.value, "run"],
    env: { GROUPWISE_WEBGPU: `${modules.value}/bun-webgpu/index.js`, ...value },
    version: BUN_WEBGPU,
  }));
});

/** The GPU that comes first, of drivers that the environment leaves. */
const nvidia = (language: string, program: "dawn" | "opencl" | "cuda"): Implementation => ({
  name: `NVIDIA, ${language}`,
  group: "NVIDIA",
  start: inEngine(program, async () =>
    existsSync("/proc/driver/nvidia/version")
      ? mapped(node(), (command) => ({ command }))
      : missing("no NVIDIA driver is loaded", "run it on a machine with an NVIDIA GPU"),
  ),
});

const clang = (
  version: number,
  release: string,
  { root, remedy = FOR_MATRIX }: { readonly root?: Root; readonly remedy?: string } = {},
): Implementation => ({
  name: `clang ${version}, ${release}`,
  group: "C compilers",
  batch: BATCH,
  clang: () => commandIn(root, `clang-${version}`),
  start: inEngine("c", async () => {
    const program = commandIn(root, `clang-${version}`);
    if (!program.found) return program;
    const line = await findClang(program.value);
    if (!line.found) return missing(line.reason, remedy);
    return mapped(node(root), (command) => ({ command, env: { CC: `clang-${version}` } }));
  }),
});

/** WebAssembly of an engine; the emitted module of each case runs before the device is opened. */
const wasmIn = (find: () => Promise<Found<string>>, ...first: readonly string[]): Start =>
  inEngine("wasm", async () => mapped(await find(), (program) => ({ command: [program, ...first] })));
const wasmInNode = (major: keyof typeof NODES): Implementation => ({
  name: `WebAssembly, Node ${major}`,
  group: "WebAssembly",
  start: wasmIn(() => findNode(major)),
});

/** QEMU runs Node for 64-bit Arm, and what its compiler makes of C; the compiler itself is a program of this system. */
const onArm = (program: "c" | "wasm"): Start =>
  inEngine(program, async () => {
    const [qemu, compiler] = ["qemu-aarch64", "aarch64-linux-gnu-gcc"];
    for (const name of [qemu, compiler] as const) {
      const command = await findCommand([name]);
      if (!command.found) return missing(command.reason, FOR_MATRIX);
    }
    const { version } = await import("koffi");
    return mapped(await findNodeForArm(version), (node20) => ({
      command: [qemu, "-L", "/usr/aarch64-linux-gnu", node20.program],
      env: { NODE_PATH: node20.modules, CC: compiler },
    }));
  });

const TRIXIE = "Debian 13";
const SID = "Debian sid";

const firefox = (): Found<string> =>
  programInRoot("sid", "/usr/bin/firefox", {
    HOME: "/tmp",
    ...vulkanEnvironment("/usr/share/vulkan/icd.d/lvp_icd.json"),
  });

export const ROWS: readonly Implementation[] = [
  { name: "Dawn, lavapipe 25, Debian 12", group: "WebGPU", start: dawn("lavapipe") },
  { name: `Dawn, lavapipe 25, ${TRIXIE}`, group: "WebGPU", start: dawn("lavapipe", "pocl6") },
  { name: `Dawn, lavapipe 26, ${SID}`, group: "WebGPU", start: dawn("lavapipe", "sid") },
  { name: "Dawn, SwiftShader", group: "WebGPU", effort: "quick", start: dawn("swiftshader") },
  { name: "Deno, lavapipe 25", group: "WebGPU", start: deno(() => vulkan("lavapipe")) },
  { name: "Deno, OpenGL ES", group: "WebGPU", start: deno(() => found(vulkanEnvironment(NO_DRIVER))) },
  { name: "Bun, lavapipe 25", group: "WebGPU", start: bun },
  { name: "Chromium, SwiftShader", group: "WebGPU", effort: "quick", start: inBrowser("chromium") },
  {
    name: `Firefox, lavapipe 26, ${SID}`,
    group: "WebGPU",
    effort: "quick",
    start: inBrowser("firefox", firefox),
  },
  { name: "PoCL 3.1, Debian 12", group: "OpenCL", batch: BATCH, start: openClHere("pocl") },
  { name: `PoCL 6, ${TRIXIE}`, group: "OpenCL", batch: BATCH, start: openClIn("pocl6", "pocl") },
  { name: `PoCL 7, ${SID}`, group: "OpenCL", batch: BATCH, start: openClIn("sid", "pocl") },
  { name: `rusticl 25, ${TRIXIE}`, group: "OpenCL", start: openClIn("pocl6", "rusticl", RUSTICL) },
  { name: `rusticl 26, ${SID}`, group: "OpenCL", start: openClIn("sid", "rusticl", RUSTICL) },
  {
    name: "Oclgrind",
    group: "OpenCL",
    batch: BATCH,
    effort: "quick",
    start: openClHere("oclgrind", OCLGRIND),
  },
  nvidia("WebGPU in Dawn", "dawn"),
  nvidia("OpenCL", "opencl"),
  nvidia("CUDA", "cuda"),
  ...[14, 15, 16].map((version) => clang(version, "Debian 12")),
  ...[17, 18].map((version) => clang(version, TRIXIE, { root: "pocl6" })),
  clang(19, SID, { root: "sid" }),
  clang(20, "apt.llvm.org", {
    remedy: "Debian 12, 13 and sid have no package clang-20: see https://apt.llvm.org",
  }),
  ...[21, 22].map((version) => clang(version, SID, { root: "sid" })),
  { name: "gcc 12, AArch64 in QEMU", group: "C compilers", batch: BATCH, start: onArm("c") },
  ...([20, 22, 24] as const).map(wasmInNode),
  { name: "WebAssembly, AArch64 in QEMU, Node 20", group: "WebAssembly", start: onArm("wasm") },
  {
    name: "WebAssembly, Deno",
    group: "WebAssembly",
    start: wasmIn(async () => mapped(findDeno(), ({ program }) => program), ...DENO),
  },
  { name: "WebAssembly, Bun", group: "WebAssembly", start: wasmIn(findBun, "run") },
  {
    name: "WebAssembly, Chromium",
    group: "WebAssembly",
    start: inBrowser("chromium", undefined, "wasm-page"),
  },
  {
    name: `WebAssembly, Firefox, ${SID}`,
    group: "WebAssembly",
    start: inBrowser("firefox", firefox, "wasm-page"),
  },
];
