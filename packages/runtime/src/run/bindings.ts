/** Bindings of a manifest, and errors about the arrays that a caller passes for them. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Binding, Manifest } from "../plan/manifest.ts";

export const bad = (manifest: Manifest, name: string, reason: string, remedy?: string): Error =>
  errorOf("bad-buffer", { name, reason, ...(remedy !== undefined && { remedy }) }, manifest.pipeline);

export const bindingOf = (manifest: Manifest, name: string): Binding =>
  manifest.bindings.find((binding) => binding.name === name) as Binding;
