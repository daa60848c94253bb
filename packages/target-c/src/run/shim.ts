/** The function through which any pipeline is called with two arguments: koffi takes at most 64. */
import type { Manifest } from "@groupwise/core";
import { unmarked } from "@groupwise/core/kernel";
import { type Launch, SCALARS } from "@groupwise/core/target";
import { kernelArguments } from "../print/arguments.ts";
import { kernelOf } from "../print/names.ts";

/** The function's name, which no pipeline's function can have. */
export const CALL = "groupwise_call";

/** Bytes of a scalar in the list of scalars. */
const SLOT = 8;

/** The text: `groupwise_call(arrays, scalars)` calls the kernel with the arrays and scalars of {@link argumentsOf}. */
export function shimOf(manifest: Manifest): string {
  const scalars = kernelArguments(manifest).filter(({ isPointer }) => !isPointer);
  const arrays = kernelArguments(manifest).length - scalars.length;
  const given = [
    ...scalars.map((_, i) => `scalar${i}`),
    ...Array.from({ length: arrays }, (_, i) => `arrays[${i}]`),
  ];
  return [
    `#include "${manifest.flags.header}"`,
    "#include <string.h>",
    `void ${CALL}(void *const *arrays, const unsigned char *scalars);`,
    `void ${CALL}(void *const *arrays, const unsigned char *scalars) {`,
    "  (void)arrays;",
    "  (void)scalars;",
    ...scalars.map(
      ({ type }, i) =>
        `  ${type} scalar${i};\n  memcpy(&scalar${i}, scalars + ${SLOT * i}, sizeof scalar${i});`,
    ),
    `  ${kernelOf(manifest)}(${given.join(", ")});`,
    "}",
    "",
  ].join("\n");
}

/** The kernel's arrays by name in its order, and its scalars, each in a slot. */
export function argumentsOf(
  manifest: Manifest,
  launch: Launch,
): { arrays: readonly string[]; scalars: Uint8Array } {
  const values = new Map(launch.params.map((param) => [param.name, param]));
  const named = kernelArguments(manifest).map(({ name }) => unmarked(name));
  const scalars = named.flatMap((name) => values.get(name) ?? []);
  const bytes = new Uint8Array(SLOT * Math.max(1, scalars.length));
  scalars.forEach(({ type, value }, i) => {
    const slot = new SCALARS[type].array(1);
    (slot as { [index: number]: number | bigint })[0] = SCALARS[type].toHost(value);
    bytes.set(new Uint8Array(slot.buffer), SLOT * i);
  });
  return { arrays: named.filter((name) => !values.has(name)), scalars: bytes };
}
