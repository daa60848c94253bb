/** Every primitive on Oclgrind: no data race, no access out of bounds, and the results of plain loops. */
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { requireDevice } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import { SUBJECTS } from "../../bench/src/subjects/index.ts";
import { watched } from "../../target-opencl/test/oclgrind.ts";
import { agrees } from "./agrees.ts";

const probe = watched(
  () => {
    // It counts memory of other kernels (`findings/oclgrind-local-memory-by-name.sh`).
    process.env.OCLGRIND_LOCAL_MEM_SIZE = String(2 ** 20);
    return openclRuntime();
  },
  (runtime) => runtime.dispose(),
);

/** It takes minutes for each byte of keys that are sorted: sorts and selections of one or two bytes represent the others. */
const LONG = /^(argsort|lexicographic|radix|partial|top|n-th|sort along).*(32|64|bf16)/;

for (const subject of SUBJECTS.filter(({ name }) => !LONG.test(name)))
  test(subject.name, async (context) => {
    const { device, findings } = await requireDevice(context, probe);
    await agrees(device, subject);
    expect(findings()).toEqual([]);
  });
