/** Names and values from a caller. */

import { errorOf, type GroupwiseError } from "@groupwise/ir/base/errors.js";
import { oncePer } from "@groupwise/ir/base/once.js";
import { wordOf } from "@groupwise/ir/tables/convert-value.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { LaunchParam } from "@groupwise/kernel/language/module.js";
import { shown } from "../api/host-view.ts";
import type { Manifest } from "../plan/manifest.ts";

/** @throws GroupwiseError `unknown-input`, `missing-input` */
export function checkNames(
  manifest: Manifest,
  values: Readonly<Record<string, unknown>>,
  wanted: readonly { readonly name: string }[],
): void {
  const known = wanted.map(({ name }) => name);
  for (const name of Object.keys(values)) {
    if (!known.includes(name)) throw errorOf("unknown-input", { name, known }, manifest.pipeline);
  }
  for (const name of known) {
    if (!Object.hasOwn(values, name)) throw missingValue(manifest, name, known);
  }
}

/** The error for a missing value. */
export function missingValue(manifest: Manifest, name: string, known: readonly string[]): GroupwiseError {
  const isOf = (list: readonly { readonly name: string }[]): boolean => list.some((one) => one.name === name);
  const isTable = isOf(manifest.bindings.filter(({ role }) => role === "table"));
  const what = isOf(userParams(manifest)) ? "parameter" : isTable ? "table" : "input";
  return errorOf("missing-input", { name, known, what }, manifest.pipeline);
}

/** The parameters that a host passes, by name and type; a launch scalar may be one word of a parameter. */
export const userParams: (manifest: Manifest) => readonly { readonly name: string; readonly type: Scalar }[] =
  /*@__PURE__*/ oncePer(({ params }) => {
    const users = params.filter(({ role }) => role === "user").map((param) => param.from ?? param);
    return [...new Map(users.map(({ name, type }) => [name, { name, type }])).values()];
  });

export function userValue(
  manifest: Manifest,
  param: LaunchParam,
  values: Readonly<Record<string, unknown>>,
): ScalarValue {
  const { name, type } = param.from ?? param;
  if (!Object.hasOwn(values, name)) {
    const known = userParams(manifest).map((one) => one.name);
    throw missingValue(manifest, name, known);
  }
  const value = scalar(manifest, name, type, values[name]);
  return param.from ? wordOf(type, value, param.from.word) : value;
}

function scalar(manifest: Manifest, name: string, type: Scalar, value: unknown): ScalarValue {
  const host = typeof SCALARS[type].lowest;
  const fits =
    typeof value === host &&
    (SCALARS[type].kind === "float" || SCALARS[type].wrap(value as ScalarValue) === value);
  if (!fits) throw errorOf("bad-parameter", { name, type, got: shown(value) }, manifest.pipeline);
  return SCALARS[type].wrap(value as ScalarValue);
}
