/** The checked function under sanitizers: no undefined behaviour, no access outside of arrays, no leak. */

import type { Runtime } from "@groupwise/core";
import { conformance, isFullRun } from "@groupwise/testkit/conformance";
import { type Found, found } from "@groupwise/testkit/devices";
import { processRuntime } from "./process-runtime.ts";
import { findProgram } from "./support.ts";

const ALL = "-fsanitize=undefined,float-cast-overflow";

const under =
  (compiler: string, ...options: readonly string[]) =>
  async (): Promise<Found<Runtime>> => {
    const program = await findProgram(compiler);
    return program.found ? found(processRuntime(compiler, ["-O1", ALL, ...options])) : program;
  };

const gcc = under("gcc", "-g", "-fsanitize=address", "-fno-sanitize-recover=all");
const slow = { slow: true, slowCompiler: true } as const;
conformance("C by gcc under ASan and UBSan", gcc, { ...slow, share: "least", fullShare: "few" });
// Signed overflow and shifts are not in the least share.
if (!isFullRun())
  conformance("C by gcc under ASan and UBSan", gcc, {
    ...slow,
    share: "few",
    only: (name) => name === "every element-wise operator on i32",
  });
// Traps need no library of clang's, which is a package of its own. In other runs gcc's sanitizers run the same loops.
if (isFullRun())
  conformance(
    "C without the compiler's own functions, by clang under UBSan",
    under("clang", "-fsanitize-trap=all", "-DGW_PORTABLE"),
    { ...slow, fullShare: "few" },
  );
