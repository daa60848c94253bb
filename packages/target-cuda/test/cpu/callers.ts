/** Functions in C++ with three arguments that call the function for C++ of a pipeline. */
import type { Manifest, ScalarValue } from "@groupwise/core";
import { type Launch, SCALARS, sidesOf } from "@groupwise/core/target";
import { argumentsOf } from "../../src/files/arguments.ts";
import { arrayOf, symbolOf } from "../../src/files/names.ts";

/** `groupwise_run(arrays, bytes, scalars)`: arrays in the order of bindings, their bytes, scalars in slots. */
export const ENTRY = "groupwise_run";
const HEAD = `extern "C" int ${ENTRY}(void** arrays, const double* bytes, const unsigned char* scalars)`;
/** Bytes of a slot. */
const SLOT = 8;

/** A way to call a pipeline. */
export interface Caller {
  /** The text of the function, after the text that it calls. */
  text(manifest: Manifest): string;
  /** The values of its slots. */
  scalars(manifest: Manifest, launch: Launch): Uint8Array;
}

/**
 * A body in which the arrays are copies that begin at multiples of 128 bytes.
 * @param shift whether they begin an element later
 */
function onCopies({ bindings }: Manifest, shift: boolean, body: readonly string[]): string {
  const offsets = bindings.map(({ bytesPerElement }) => (shift ? bytesPerElement : 0));
  return [
    `${HEAD} {`,
    `  const size_t offsets[] = {${[...offsets, 0].join(", ")}};`,
    `  unsigned char *made[${bindings.length + 1}], *copies[${bindings.length + 1}];`,
    `  for (int i = 0; i < ${bindings.length}; i++) {`,
    "    made[i] = (unsigned char*)aligned_alloc(128, ((size_t)bytes[i] + 256) / 128 * 128);",
    "    copies[i] = made[i] + offsets[i];",
    "    memcpy(copies[i], arrays[i], (size_t)bytes[i]);",
    "  }",
    "  int error = 0;",
    ...body.map((line) => `  ${line}`),
    `  for (int i = 0; i < ${bindings.length}; i++) {`,
    "    memcpy(arrays[i], copies[i], (size_t)bytes[i]);",
    "    free(made[i]);",
    "  }",
    "  return error;",
    "}",
    "",
  ].join("\n");
}

const slot = (type: string, i: number): readonly string[] => [
  `${type} scalar${i};`,
  `memcpy(&scalar${i}, scalars + ${SLOT * i}, sizeof scalar${i});`,
];

function packed(values: readonly (readonly [type: keyof typeof SCALARS, value: ScalarValue])[]): Uint8Array {
  const bytes = new Uint8Array(SLOT * (values.length + 1));
  values.forEach(([type, value], i) => {
    const one = new SCALARS[type].array(1);
    (one as { [index: number]: number | bigint })[0] = SCALARS[type].toHost(value);
    bytes.set(new Uint8Array(one.buffer), SLOT * i);
  });
  return bytes;
}

/** The argument of a scalar: its type in the list, and its value. */
function scalarFor(
  manifest: Manifest,
  launch: Launch,
  name: string,
): readonly [keyof typeof SCALARS, ScalarValue] {
  const sides = sidesOf(manifest);
  const side = sides.indexOf(name);
  if (side >= 0) return ["u64", BigInt(sides.length > 1 ? (launch.globalSize[side] as number) : launch.n)];
  const [, kind, id = ""] = /^(length|param)_(.*)$/.exec(name) as unknown as [string, string, string];
  if (kind === "length") return ["u64", BigInt(launch.scalars.lengths[id] as number)];
  const at = manifest.params.findIndex((param) => (param.from?.name ?? param.name) === id);
  const { type, value } = launch.params[at] as Launch["params"][number];
  return [type, value];
}

const isScalar = ({ name }: { readonly name: string }): boolean =>
  /^(?:n|size_[xyz]|param_.*|length_.*)$/.test(name);

/** Calls the function for C++ twice, for the size of the workspace and for the run. @param shift see {@link onCopies} */
export const byFunction = (shift: boolean): Caller => ({
  text: (manifest) => {
    const args = argumentsOf(manifest);
    const scalars = args.filter(isScalar);
    const given = args.map(({ name, type }) => {
      if (name === "workspace") return "workspace";
      if (name === "workspace_bytes") return "size";
      if (name === "stream") return "nullptr";
      const at = scalars.findIndex((one) => one.name === name);
      if (at >= 0) return `scalar${at}`;
      const array = manifest.bindings.findIndex((one) =>
        name === "outside" ? one.role === "status" : arrayOf(one) === name,
      );
      return `(${type})copies[${array}]`;
    });
    return onCopies(manifest, shift, [
      ...scalars.flatMap(({ type }, i) => slot(type, i)),
      "size_t size = 0;",
      "void* workspace = nullptr;",
      "for (int phase = 0; phase < 2 && error == 0; phase++) {",
      `  error = ${symbolOf(manifest)}(${given.join(", ")});`,
      "  if (phase == 0) workspace = malloc(size);",
      "}",
      "free(workspace);",
    ]);
  },
  scalars: (manifest, launch) =>
    packed(
      argumentsOf(manifest)
        .filter(isScalar)
        .map(({ name }) => scalarFor(manifest, launch, name)),
    ),
});
