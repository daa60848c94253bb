/** The header of a pipeline's function. */
import type { Manifest } from "@groupwise/core";
import { commentText, Text } from "@groupwise/core/kernel";
import { sidesOf } from "@groupwise/core/target";
import { argumentsOf } from "./arguments.ts";
import { isStatus, symbolOf } from "./names.ts";

/** The names of CUDA's and of HIP's runtime that all headers share. */
const SHARED: readonly string[] = [
  "#ifdef __HIP_PLATFORM_AMD__",
  "#include <hip/hip_runtime_api.h>",
  "#else",
  "#include <cuda_runtime_api.h>",
  "#endif",
  "#include <stddef.h>",
  "#include <stdint.h>",
  "",
  "#ifdef __HIP_PLATFORM_AMD__",
  "using gw_error = hipError_t;",
  "using gw_stream = hipStream_t;",
  "#else",
  "using gw_error = cudaError_t;",
  "using gw_stream = cudaStream_t;",
  "#endif",
];

/** The first lines of a file. */
export function printFirst(text: Text, manifest: Manifest, what: string, command: string, mark = "//"): void {
  text.line(
    `${mark} ${manifest.pipeline}: ${what}. Made by ${manifest.generator}; do not edit; regenerate it with`,
  );
  text.line(`${mark}   ${commentText(command)}`);
}

/** The text of `gw_<name>.hpp`. */
export function printHeader(manifest: Manifest, command: string): string {
  const text = new Text();
  printFirst(text, manifest, "a function for C++ on arrays of a CUDA or HIP device", command);
  text.line("#pragma once");
  text.line();
  for (const line of SHARED) text.line(line);
  text.line();
  const range = sidesOf(manifest).join(" x ");
  for (const line of [
    `Runs the pipeline over ${range} items, at most ${manifest.maxItems}, as functions of CUB do: if workspace is nullptr, the call writes the size that`,
    "a run needs into workspace_bytes and enqueues nothing. Otherwise it enqueues the run on the stream and does not wait; it allocates nothing,",
    "so that a graph can capture it. Runs that may overlap need workspaces of their own. Arrays may begin at any element; where all begin at a",
    "multiple of 16 bytes it takes less time. Written arrays must not overlap other arrays, and their lengths are not checked.",
    "Returns an error of the runtime; an invalid value if there are too many items, a size is invalid, or the workspace is too small.",
    ...(manifest.bindings.some(isStatus)
      ? ["An item whose slot is outside an output writes nothing there, and sets a bit of outside."]
      : []),
  ])
    text.line(`// ${line}`);
  const args = argumentsOf(manifest);
  text.line(`gw_error ${symbolOf(manifest)}(`);
  text.indent(() => {
    args.forEach(({ type, name, about }, i) => {
      const isLast = i === args.length - 1;
      text.line(`${type} ${name}${isLast ? " = nullptr);" : ","} // ${about}`);
    });
  });
  return text.toString();
}
