import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Found, found, missing } from "./found.ts";
import { runProcess } from "./process.ts";

let answer: Promise<Found<string>> | undefined;

async function tryOut(): Promise<Found<string>> {
  const remedy = "on Debian: sudo node scripts/setup-devices.mjs";
  const directory = mkdtempSync(join(tmpdir(), "groupwise-cc-"));
  try {
    const file = join(directory, "probe.c");
    writeFileSync(file, "#include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0) == 1; }\n");
    const result = await runProcess("cc", [
      file,
      "-DCL_TARGET_OPENCL_VERSION=120",
      "-lOpenCL",
      "-o",
      `${file}.out`,
    ]);
    if (result.code === 0) return found("cc");
    return missing("the C compiler finds no OpenCL headers or library", remedy);
  } catch {
    return missing("there is no C compiler", remedy);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A C compiler that finds OpenCL's headers and library: the program's name. */
export function findCc(): Promise<Found<string>> {
  answer ??= tryOut();
  return answer;
}
