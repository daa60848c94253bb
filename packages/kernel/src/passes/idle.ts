/** Removes kernels without effect: unused computations, or code that constants make dead. */

import type { Buffer, Module } from "../language/module.ts";
import { arraysOf } from "../language/uses.ts";

/** The module without kernels whose results no output depends on, and without the scratch arrays of these alone. */
export function removeIdle(module: Module): Module {
  const { buffers, functions } = module;
  const wanted = new Set(buffers.filter(isResult).map(({ name }) => name));
  const used = new Set<string>();
  // Backwards, because kernels read what earlier kernels wrote.
  const kernels = module.kernels.toReversed().filter((kernel) => {
    const arrays = arraysOf(kernel, buffers, functions);
    if (!arrays.some(({ name, access }) => access !== "read" && wanted.has(name))) return false;
    for (const { name, access } of arrays) {
      used.add(name);
      if (access !== "write") wanted.add(name);
    }
    return true;
  });
  return {
    ...module,
    kernels: kernels.reverse(),
    buffers: buffers.filter(({ name, role }) => role !== "scratch" || used.has(name)),
  };
}

const isResult = ({ role }: Buffer): boolean => role === "output" || role === "status";
