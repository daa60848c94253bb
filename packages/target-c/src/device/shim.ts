/** The function through which any pipeline is called with two arguments: koffi takes at most 64. */
import type { Manifest, ScalarValue } from "@groupwise/core";
import { type LaunchParam, marked, unmarked } from "@groupwise/core/kernel";
import { type Launch, SCALARS } from "@groupwise/core/target";
import { parallelArguments, THREADS } from "../files/openmp/header.ts";
import { type Argument, kernelArguments, lengthOf, sidesOf } from "../print/arguments.ts";
import { kernelOf } from "../print/names.ts";

/** The function's name, which no pipeline's function can have. */
export const CALL = "groupwise_call";

/** Bytes of a scalar in the list of scalars. */
const SLOT = 8;

/** The function that computes on several threads, if the artifact has one, and otherwise the kernel. */
const argumentsIn = (manifest: Manifest): readonly Argument[] =>
  manifest.flags.parallel === undefined ? kernelArguments(manifest) : parallelArguments(manifest);

/** The text: `groupwise_call(arrays, scalars)` calls the function with the arrays and scalars of {@link argumentsOf}, and returns its status. */
export function shimOf(manifest: Manifest): string {
  const { header, parallel, parallelHeader = header } = manifest.flags;
  const args = argumentsIn(manifest);
  const scalars = args.filter(({ isPointer }) => !isPointer);
  const arrays = args.filter(({ isPointer }) => isPointer);
  const given = args.map((one) =>
    one.isPointer ? `arrays[${arrays.indexOf(one)}]` : `scalar${scalars.indexOf(one)}`,
  );
  const list = given.join(", ");
  return [
    `#include "${parallelHeader}"`,
    "#include <string.h>",
    `int ${CALL}(void *const *arrays, const unsigned char *scalars);`,
    `int ${CALL}(void *const *arrays, const unsigned char *scalars) {`,
    "  (void)arrays;",
    "  (void)scalars;",
    ...scalars.map(
      ({ type }, i) =>
        `  ${type} scalar${i};\n  memcpy(&scalar${i}, scalars + ${SLOT * i}, sizeof scalar${i});`,
    ),
    ...(parallel === undefined
      ? [`  ${kernelOf(manifest)}(${list});`, "  return GW_OK;"]
      : [`  return ${parallel}(${list});`]),
    "}",
    "",
  ].join("\n");
}

/** A scalar as the type of the argument: halves are their 16 bits. */
interface Given {
  readonly type: keyof typeof SCALARS;
  readonly value: ScalarValue;
}

/** The values of scalar arguments, by the marked names of arguments. */
function scalarsOf(manifest: Manifest, launch: Launch, threads: number): ReadonlyMap<string, Given> {
  const { params, n, globalSize, scalars } = launch;
  const values = new Map<string, Given>();
  params.forEach((param, i) => {
    values.set(marked(param.name), param);
    const { from } = manifest.params[i] as LaunchParam;
    if (from) values.set(marked(from.name), { type: "f16", value: param.value });
  });
  if (manifest.flags.parallel === undefined) return values;
  const sides = sidesOf(manifest);
  sides.forEach((side, d) => {
    values.set(marked(side), sizeOf(sides.length === 1 ? n : (globalSize[d] as number)));
  });
  for (const [table, length] of Object.entries(scalars.lengths))
    values.set(marked(lengthOf(manifest, table)), sizeOf(length));
  return values.set(THREADS.name, { type: "i32", value: threads });
}

const sizeOf = (size: number): Given => ({ type: "u64", value: BigInt(size) });

function bytesOf({ type, value }: Given): Uint8Array {
  // The value of a half is already its bits.
  if (type === "f16") return new Uint8Array(Uint16Array.of(Number(value)).buffer);
  const slot = new SCALARS[type].array(1);
  (slot as { [index: number]: number | bigint })[0] = SCALARS[type].toHost(value);
  return new Uint8Array(slot.buffer);
}

/** The function's arrays by name in its order, and its scalars, each in a slot. @param threads if it uses several */
export function argumentsOf(
  manifest: Manifest,
  launch: Launch,
  threads: number,
): { arrays: readonly string[]; scalars: Uint8Array } {
  const args = argumentsIn(manifest);
  const values = scalarsOf(manifest, launch, threads);
  const scalars = args.filter(({ isPointer }) => !isPointer);
  const bytes = new Uint8Array(SLOT * Math.max(1, scalars.length));
  scalars.forEach(({ name }, i) => {
    bytes.set(bytesOf(values.get(name) as Given), SLOT * i);
  });
  const arrays = args.filter(({ isPointer }) => isPointer).map(({ name }) => unmarked(name));
  return { arrays, scalars: bytes };
}
