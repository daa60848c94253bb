/** Emitted C in a process for each core. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { emit } from "@groupwise/core";
import { c } from "@groupwise/target-c";
import { cRuntime } from "@groupwise/target-c/runtime";
import type { SweepPipeline } from "./pipelines.ts";
import { type Hash, type Hasher, hashOf, type SweepItems, type SweepPlace, valuesOn } from "./place.ts";

const COMPILER = "gcc";
/** Answers lines of `n start stride` with the sum and xor of the items. */
const MAIN = String.raw`#include HEADER
#include <stdio.h>
int main(void) {
  unsigned long long n, start, stride;
  while (scanf("%llu %llu %llu", &n, &start, &stride) == 3) {
    uint32_t sum = 0, xor_ = 0;
    int status = FUNCTION((size_t)n, (uint32_t)start, (uint32_t)stride, &sum, &xor_);
    if (status != GW_OK) return status;
    printf("%lu %lu\n", (unsigned long)sum, (unsigned long)xor_);
    fflush(stdout);
  }
  return 0;
}
`;

/** Compiles a pipeline into a program. @throws Error with what the compiler printed */
async function compiled(folder: string, source: SweepPipeline): Promise<string> {
  const { files, manifest } = emit(source, c);
  for (const file of files) writeFileSync(join(folder, file.path), file.text);
  writeFileSync(join(folder, "main.c"), MAIN);
  const texts = files.map(({ path }) => path).filter((path) => path.endsWith(".c"));
  const { header, function: entry } = manifest.flags as Readonly<Record<string, string>>;
  const defines = [`-DHEADER="${header}"`, `-DFUNCTION=${entry}`];
  const options = ["-O2", "-std=c11", "-ffp-contract=off", ...defines, "main.c", ...texts, "-o", "sweep"];
  await promisify(execFile)(COMPILER, options, { cwd: folder });
  return join(folder, "sweep");
}

/** A process that answers one request after the other. */
class Worker {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting: { resolve(hash: Hash): void; reject(error: Error): void }[] = [];

  constructor(program: string) {
    this.child = spawn(program);
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      const [sum, xor] = line.split(" ").map(Number);
      const next = this.waiting.shift();
      try {
        next?.resolve(hashOf(sum, xor));
      } catch (error) {
        next?.reject(error as Error);
      }
    });
    this.child.on("error", (error) => this.fail(error));
    this.child.stdin.on("error", (error) => this.fail(error));
    this.child.on("close", (code, signal) => this.fail(new Error(`${program} ended with ${signal ?? code}`)));
  }

  ask({ n, start, stride }: SweepItems): Promise<Hash> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.child.stdin.write(`${n} ${start} ${stride}\n`);
    });
  }

  close(): void {
    this.child.stdin.end();
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}

/** A worker for each core; a chunk goes to one that is idle. */
function hasherOf(folder: string, program: string, width: number): Hasher {
  const workers = Array.from({ length: width }, () => new Worker(program));
  const idle = [...workers];
  const queue: ((worker: Worker) => void)[] = [];
  const free = (worker: Worker): void => {
    const next = queue.shift();
    if (next) next(worker);
    else idle.push(worker);
  };
  const taken = (): Promise<Worker> => {
    const worker = idle.pop();
    return worker ? Promise.resolve(worker) : new Promise((resolve) => queue.push(resolve));
  };
  return {
    hash: async (items) => {
      const worker = await taken();
      return worker.ask(items).finally(() => free(worker));
    },
    close: () => {
      for (const worker of workers) worker.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Emitted C by gcc with -O2.
 * @param width processes side by side
 * @throws GroupwiseError `device-missing` without gcc or koffi
 */
export async function cPlace(width: number = availableParallelism()): Promise<SweepPlace> {
  const runtime = await cRuntime({ compiler: COMPILER });
  return {
    name: `C, ${width} processes`,
    device: runtime.device,
    width,
    hasher: async (source) => {
      const folder = mkdtempSync(join(tmpdir(), "groupwise-sweep-"));
      try {
        return hasherOf(folder, await compiled(folder, source), width);
      } catch (error) {
        rmSync(folder, { recursive: true, force: true });
        throw error;
      }
    },
    values: (source, items) => valuesOn(runtime, source, items),
    close: () => runtime.dispose(),
  };
}
