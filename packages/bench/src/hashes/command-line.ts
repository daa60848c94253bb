/** `groupwise run`, in one run and in chunks of files: hashes of the files that it writes. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringifyPipeline } from "@groupwise/core/schema";
import { type Found, findDawn, findOpenCl, found, runProcess } from "@groupwise/testkit/devices";
import { layoutOf, raw } from "@groupwise/testkit/mpi";
import type { Hashed } from "./pipelines.ts";

/** The command line of groupwise. */
export const COMMAND: string = fileURLToPath(new URL("../../../cli/dist/bin.js", import.meta.url));
/** Length of the header of an `.npy` file of one dimension, in bytes. */
const HEADER = 128;

type Environment = Readonly<Record<string, string | undefined>>;

export interface Device {
  readonly name: string;
  readonly target: string;
  readonly options: readonly string[];
  /** Items of the shortest chunk of a stream of many items: one launch for each item takes too long. */
  readonly shortest: number;
  /** Whether it computes many millions of items too. */
  readonly isFast?: boolean;
  environment(): Promise<Found<Environment>>;
}

export const DEVICES: readonly Device[] = [
  {
    name: "JavaScript",
    target: "js",
    options: [],
    shortest: 1,
    isFast: true,
    environment: async () => found({}),
  },
  {
    name: "lavapipe",
    target: "wgsl",
    options: ["--device", "llvmpipe"],
    shortest: 1000,
    environment: async () => {
      const dawn = await findDawn({ adapter: "lavapipe" });
      return dawn.found ? found({ GALLIVM_PERF: "nopt" }) : dawn; // compiles in half the time
    },
  },
  {
    name: "PoCL",
    target: "opencl",
    options: [],
    shortest: 1000,
    environment: async () => {
      const pocl = findOpenCl("pocl");
      return pocl.found ? found(pocl.value.env) : pocl;
    },
  },
];

export const fileOf = ({ name }: Hashed, n: number, input: string): string => `${name}-${n}-${input}.raw`;
export const filesOf = ({ name }: Hashed, n: number): string => `${name}-${n}.raw`;

/** Writes the document of a pipeline, a file of each input, and one of all inputs. */
export function writeFiles(hashed: Hashed, n: number, root: string): void {
  const arrays = Object.entries(hashed.inputs).map(([name, input]) => [name, raw(input.of(n))] as const);
  writeFileSync(join(root, `${hashed.name}.json`), stringifyPipeline(hashed.ir));
  for (const [name, bytes] of arrays) writeFileSync(join(root, fileOf(hashed, n, name)), bytes);
  writeFileSync(join(root, filesOf(hashed, n)), Buffer.concat(arrays.map(([, bytes]) => bytes)));
}

/** A run of a pipeline on items, in a folder with its files. */
export interface HashedRun {
  readonly hashed: Hashed;
  readonly n: number;
  /** Items of a chunk of `--stream`; 0: one run. */
  readonly chunk: number;
  readonly root: string;
}

/**
 * The hash of all outputs of one run.
 * @throws Error if the command fails
 */
export async function hashOfRun(
  { target, options }: Device,
  env: Environment,
  { hashed, n, chunk, root }: HashedRun,
): Promise<string> {
  const out = mkdtempSync(join(root, "out-"));
  const inputs = Object.entries(hashed.inputs).flatMap(([name, { type }]) => [
    "--input",
    `${name}=${fileOf(hashed, n, name)}:${type}`,
  ]);
  const stream = chunk === 0 ? [] : ["--stream", String(chunk)];
  const args = [
    COMMAND,
    "run",
    `${hashed.name}.json`,
    ...inputs,
    "--target",
    target,
    ...options,
    ...stream,
    "--out",
    out,
  ];
  const { code, stderr } = await runProcess(process.execPath, args, { cwd: root, env });
  if (code !== 0) throw new Error(`groupwise ${args.slice(1).join(" ")}: ${stderr.slice(0, 2000)}`);
  const hash = createHash("sha256");
  for (const { name, bytes, isAppended } of layoutOf(hashed.ir).outputs) {
    const elements = readFileSync(join(out, `${name}.npy`)).subarray(HEADER);
    hash.update(elements);
    // As the program of ranks writes them.
    if (isAppended) hash.update(new Uint8Array(bytes * n - elements.length));
  }
  rmSync(out, { recursive: true });
  return hash.digest("hex");
}
