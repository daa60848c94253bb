import type { Module } from "../../language/module.ts";
import { walk } from "../../language/walk.ts";

/** Every name of a module and of its parts. */
export function* namesOf({ params, buffers, kernels, functions }: Module): Generator<string> {
  for (const { name } of [...params, ...buffers, ...kernels, ...functions]) yield name;
  for (const { shared } of kernels) for (const { name } of shared) yield name;
  for (const { body } of [...functions, ...kernels])
    for (const stmt of walk(body)) if ("name" in stmt) yield stmt.name;
}
