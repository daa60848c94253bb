/** CUB, compiled by nvcc from `peers/cub.cu`. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { errorOf } from "@groupwise/core/target";
import { type Peer, type PeerSize, peerOf } from "./peer.ts";

const SOURCE = fileURLToPath(new URL("../../peers/cub.cu", import.meta.url));
const FLAGS = ["-O3", "-std=c++17", "-arch=native", "-Xcompiler=-fwrapv"];
const MOST_OUTPUT = 2 ** 26;
const run = promisify(execFile);

interface PeerChoice {
  readonly sizes: readonly PeerSize[];
  /** Jobs whose names contain one of the words; all jobs if there are no words. */
  readonly only: readonly string[];
  /** The compiler; default: `NVCC` of the environment, or `nvcc`. */
  readonly compiler?: string;
}

const missing = (error: unknown): Error => {
  const { stderr = "", message } = error as { readonly stderr?: string; readonly message: string };
  return errorOf("device-missing", { what: "CUB", reason: `${stderr || message}`.trim() }, undefined, error);
};

/** Compiles CUB's program, which takes about a minute, and runs it. @throws GroupwiseError `device-missing` */
export async function cub({ sizes, only, compiler = process.env.NVCC || "nvcc" }: PeerChoice): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), "groupwise-cub-"));
  const program = join(folder, "cub");
  const given = sizes.map(({ n, recordings }) => `${n}:${recordings}`).join(",");
  try {
    await run(compiler, [...FLAGS, SOURCE, "-o", program]);
    return peerOf((await run(program, [given, ...only], { maxBuffer: MOST_OUTPUT })).stdout);
  } catch (error) {
    throw missing(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The peers by the names that commands take. */
export const PEERS: Readonly<Record<PeerName, typeof cub>> = { cub };
export type PeerName = "cub";
