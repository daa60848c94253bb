/** Removes kernels without effect: unused computations, or code that constants make dead. */

import type { Buffer, Module } from "../language/module.ts";
import { arraysOf } from "../language/uses.ts";

/** The module without kernels whose results no output depends on, and without the scratch arrays of these alone. */
export function removeIdle(module: Module): Module {
  const { buffers, kernels, functions } = module;
  const uses = kernels.map((kernel) => arraysOf(kernel, buffers, functions));
  const wanted = new Set(buffers.filter(isResult).map(({ name }) => name));
  const kept = new Set<number>();
  for (let before = -1; before < kept.size; ) {
    before = kept.size;
    // Backwards, because kernels read what earlier kernels wrote.
    for (let i = kernels.length - 1; i >= 0; i--) {
      const arrays = uses[i] ?? [];
      if (kept.has(i) || !arrays.some(({ name, access }) => access !== "read" && wanted.has(name))) continue;
      kept.add(i);
      for (const { name, access } of arrays) if (access !== "write") wanted.add(name);
    }
  }
  if (kept.size === kernels.length) return module;
  const used = new Set([...kept].flatMap((i) => (uses[i] ?? []).map(({ name }) => name)));
  return {
    ...module,
    kernels: kernels.filter((_, i) => kept.has(i)),
    buffers: buffers.filter(({ name, role }) => role !== "scratch" || used.has(name)),
  };
}

const isResult = ({ role }: Buffer): boolean => role === "output" || role === "status";
