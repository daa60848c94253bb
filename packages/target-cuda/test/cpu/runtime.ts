/** A runtime that compiles emitted text as HIP for the CPU, by g++ and the headers beside it, and runs it in this process. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type Artifact,
  type Capabilities,
  evaluate,
  type HostArray,
  type Manifest,
  plan,
  type Runtime,
  type ScalarValue,
} from "@groupwise/core";
import { type Call, debugging, HostDevice, hostedRuntime, SCALARS } from "@groupwise/core/target";
import { type Found, found, missing, runProcess } from "@groupwise/testkit/devices";
import { cuda } from "../../src/index.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const run = promisify(execFile);

/** Options of the compiler: those of HIP, as far as they decide about floats. */
const OPTIONS = ["-std=c++17", "-ffp-contract=off", "-frounding-math", "-fno-strict-aliasing", "-fPIC", "-w"];

let kept: string | undefined;
/** Where libraries stay, for this run of the tests at least. */
const keptIn = (): string =>
  (kept ??= process.env.GROUPWISE_LIBRARIES ?? mkdtempSync(join(tmpdir(), "groupwise-cuda-")));

/** The path of what g++ makes of texts, which is made once. */
async function made(name: string, texts: readonly string[], args: readonly string[]): Promise<string> {
  const { stdout: version } = await run("g++", ["--version"]);
  const hash = createHash("sha256").update(JSON.stringify([version, OPTIONS, args, texts])).digest("hex");
  const path = join(keptIn(), `cuda-${hash}${name.slice(name.lastIndexOf("."))}`);
  if (existsSync(path)) return path;
  const folder = mkdtempSync(join(tmpdir(), "groupwise-cuda-"));
  try {
    texts.forEach((text, i) => {
      writeFileSync(join(folder, `${i}.cpp`), text);
    });
    const sources = texts.map((_, i) => `${i}.cpp`);
    await run("g++", [...OPTIONS, `-I${HERE}`, ...args, ...sources, "-o", name], { cwd: folder });
    const fresh = `${path}.${randomUUID()}`;
    writeFileSync(fresh, readFileSync(join(folder, name)));
    renameSync(fresh, path);
    return path;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes of a scalar in the list of scalars. */
const SLOT = 8;
const ENTRY = "groupwise_run";

/** The function that runs all passes: `groupwise_run(arrays, bytes, scalars, groups)`. Kernels get arrays that are aligned as a device's. */
function callerOf({ bindings, params, passes }: Manifest): string {
  const typeOf = (memory: string): string => `groupwise::${memory}`;
  const names = bindings.map(({ name }) => name);
  const scalars = params.map(({ name }) => name);
  return [
    `extern "C" int ${ENTRY}(void** arrays, const double* bytes, const unsigned char* scalars, const unsigned* groups) {`,
    `  void* aligned[${names.length + 1}];`,
    `  for (int i = 0; i < ${names.length}; i++) {`,
    "    aligned[i] = aligned_alloc(128, ((size_t)bytes[i] + 128) / 128 * 128);",
    "    memcpy(aligned[i], arrays[i], (size_t)bytes[i]);",
    "  }",
    ...params.map(
      ({ memory }, i) =>
        `  ${typeOf(memory)} scalar${i};\n  memcpy(&scalar${i}, scalars + ${SLOT * i}, sizeof scalar${i});`,
    ),
    ...passes.map(({ entryPoint, workGroupSize, params: used, bindings: taken }, i) => {
      const given = [
        ...used.map((name) => `scalar${scalars.indexOf(name)}`),
        ...taken.map(({ name }) => {
          const binding = bindings.find((one) => one.name === name) as Manifest["bindings"][number];
          return `(${typeOf(binding.memory)}*)aligned[${names.indexOf(name)}]`;
        }),
      ];
      return `  cpu::launch(groups[${i}], ${workGroupSize}, [&] { groupwise::${entryPoint}(${given.join(", ")}); });`;
    }),
    `  for (int i = 0; i < ${names.length}; i++) {`,
    "    memcpy(arrays[i], aligned[i], (size_t)bytes[i]);",
    "    free(aligned[i]);",
    "  }",
    "  return 0;",
    "}",
    "",
  ].join("\n");
}

type Entry = (arrays: unknown[], bytes: Float64Array, scalars: Uint8Array, groups: Uint32Array) => number;

/** A half is passed as its bits, in a word. */
function bytesOf(type: keyof typeof SCALARS, value: ScalarValue): Uint8Array {
  const slot = new SCALARS[type].array(1);
  (slot as { [index: number]: number | bigint })[0] = SCALARS[type].toHost(value);
  return new Uint8Array(slot.buffer);
}

const NOTHING = new Uint8Array(16);

function callOf({ bindings, passes }: Manifest, entry: Entry): Call {
  return (launch, arrays) => {
    const scalars = new Uint8Array(SLOT * (launch.params.length + 1));
    launch.params.forEach(({ type, value }, i) => {
      scalars.set(bytesOf(type, value), SLOT * i);
    });
    const given = bindings.map(({ name }) => arrays.get(name) as HostArray);
    const groups = passes.map((pass) => evaluate(pass.groups, launch));
    entry(
      given.map((array) => (array.length > 0 ? array : NOTHING)),
      Float64Array.from([...given.map(({ byteLength }) => byteLength), 0]),
      scalars,
      Uint32Array.from([...groups, 0]),
    );
  };
}

export interface CpuOptions {
  readonly capabilities?: Capabilities;
  readonly debug?: boolean;
  /** Work-items of a wave, which number the lanes. */
  readonly wave?: 32 | 64;
  readonly options?: readonly string[];
}

/** The runtime; missing without g++ or koffi. */
export async function onCpu(given: CpuOptions = {}): Promise<Found<Runtime>> {
  const { wave = 32, debug, options = ["-O1"] } = given;
  const probe = await runProcess("g++", ["--version"]).catch(() => undefined);
  if (probe?.code !== 0) return missing("g++ is not installed");
  const { default: koffi } = await import("koffi");
  const capabilities = debugging(given.capabilities ?? cuda.capabilities, debug);
  const scheduler = readFileSync(join(HERE, "scheduler.cpp"), "utf8");
  const header = readFileSync(join(HERE, "hip/hip_runtime.h"), "utf8");
  const macro = `-DGROUPWISE_WAVE=${wave}`;
  const object = await made("scheduler.o", [`${scheduler}\n// ${createHash("sha256").update(header).digest("hex")}\n`], ["-O2", "-c"]);
  const open = async ({ files, manifest }: Artifact): Promise<Entry & { unload(): void }> => {
    const text = files.find(({ path }) => path.endsWith(".cu"))?.text ?? "";
    const args = ["-D__HIP__", macro, ...options, "-shared", object, "-x", "c++"];
    const library = koffi.load(await made("library.so", [`${text}\n${callerOf(manifest)}`], args));
    const entry = library.func(ENTRY, "int", ["void **", "void *", "void *", "void *"]) as unknown as Entry;
    return Object.assign((...all: Parameters<Entry>) => entry(...all), { unload: () => library.unload() });
  };
  return found(
    hostedRuntime({
      device: { target: cuda.name, name: `HIP on the CPU, waves of ${wave}`, driver: "g++" },
      capabilities,
      host: new HostDevice("HIP on the CPU"),
      debug,
      make: async (source, wanted) => {
        const lowered = plan(source, cuda, { ...wanted, capabilities });
        const artifact = cuda.print(lowered, {});
        const entry = await open(artifact);
        const { manifest } = artifact;
        return { plan: lowered, manifest, call: callOf(manifest, entry), free: () => entry.unload() };
      },
    }),
  );
}
