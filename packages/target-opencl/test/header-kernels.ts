/** Kernels that call the header's functions, and what they must give. */
import {
  check,
  type HostArray,
  OP_NAMES,
  type Op,
  opExists,
  reference,
  SCALAR_NAMES,
  SCALARS,
  type Scalar,
} from "@groupwise/core";
import {
  collectivesOf,
  DATA,
  dataOf,
  difference,
  KINDS,
  outputName,
  toArray,
  toValues,
} from "@groupwise/testkit";
import { openclHeader } from "../src/header.ts";
import { valueType } from "../src/spelling.ts";
import type { RawProgram, Shape } from "./raw.ts";

export const HEADER: string = openclHeader();
export const TYPED: readonly Scalar[] = SCALAR_NAMES.filter((type) => type !== "bool");
export const opsOf = (type: Scalar): readonly Op[] => OP_NAMES.filter((op) => opExists(op, type));
export const c = (name: string): string => name.replaceAll("-", "_");

/** A kernel for each operator; the place of an item is told by the language's own functions alone. */
const PLACE = `
  const size_t group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
  const size_t lane = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
  const size_t i = group * FULL + lane;
`;
export const kernels = (type: Scalar, names: "prefixed" | "overloaded" | "standard"): string =>
  opsOf(type)
    .map((op) => {
      const T = valueType(type);
      const calls = KINDS.map((kind) => {
        const family = {
          reduce: "reduce",
          "inclusive-scan": "scan_inclusive",
          "exclusive-scan": "scan_exclusive",
        }[kind];
        if (names === "standard") return `work_group_${family}_${c(op)}(x[i])`;
        return `gw_${family}_${c(op)}${names === "prefixed" ? `_${T}` : ""}(x[i], s)`;
      });
      return `
kernel void ${c(op)}_(global const ${T}* x, global ${T}* reduce, global ${T}* inclusive, global ${T}* exclusive) {
  ${names === "standard" ? "GROUPWISE_SCRATCH(256);" : `local ${T} s[GW_SCRATCH(256)];`}${PLACE}
  reduce[i] = ${calls[0]};
  inclusive[i] = ${calls[1]};
  exclusive[i] = ${calls[2]};
}`;
    })
    .join("\n");

export const product = (list: readonly number[]): number => list.reduce((a, b) => a * b, 1);

/** Groups of one kind of data each; the last one is of `last` items where it is given. */
export function differences(raw: RawProgram, type: Scalar, op: Op, shape: Shape): string[] {
  const full = product(shape.local);
  const groups = shape.global.map((size, d) => Math.ceil(size / (shape.local[d] as number)));
  const count = product(groups);
  const kinds = DATA[SCALARS[type].kind];
  const sizes = Array.from({ length: count }, (_, g) => groupSize(shape, groups, g));
  const data = sizes.map((n, g) => dataOf(type, kinds[g % kinds.length] as never, n, `${op} ${g}`));
  const array = (): HostArray => new SCALARS[type].array(full * count);
  const [x, ...outputs] = [array(), array(), array(), array()] as [
    HostArray,
    HostArray,
    HostArray,
    HostArray,
  ];
  data.forEach((part, g) => {
    (x as Uint8Array).set(part as Uint8Array, g * full);
  });
  raw.run(`${c(op)}_`, [x, ...outputs], shape);
  const checked = check(collectivesOf({ type, scope: "device", workGroupSize: 1, ops: [op] }));
  return data.flatMap((part, g) => {
    const n = sizes[g] as number;
    const want = reference(checked, { n, inputs: { x: toValues(type, part) }, params: {} });
    return KINDS.flatMap((kind, k) => {
      const values = want[outputName(op, kind)] as never[];
      const list = kind === "reduce" ? Array.from({ length: n }, () => values[0]) : values;
      const got = (outputs[k] as HostArray).slice(g * full, g * full + n);
      const bad = difference(type, got, toArray(type, list as never));
      return bad
        ? [`${kind} ${op} ${type}, group ${g} of ${n} (${kinds[g % kinds.length]?.name}): ${bad.text}`]
        : [];
    });
  });
}

/** Items of a group: what is left of the range at its end. */
function groupSize({ global, local }: Shape, groups: readonly number[], g: number): number {
  let rest = g;
  return product(
    groups.map((along, d) => {
      const at = rest % along;
      rest = Math.floor(rest / along);
      return Math.min(local[d] as number, (global[d] as number) - at * (local[d] as number));
    }),
  );
}

/** The header, and kernels of a type for groups of the shape's size. */
export const program = (type: Scalar, names: Parameters<typeof kernels>[1], { local }: Shape): string =>
  `${HEADER}\n#define FULL ${product(local)}\n${kernels(type, names)}`;
