/** Kernels that call the header's functions, and what they must give. */
import {
  check,
  type HostArray,
  OP_NAMES,
  type Op,
  reference,
  SCALAR_NAMES,
  type Scalar,
} from "@groupwise/core";
import { opExists, SCALARS } from "@groupwise/core/target";
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
import { valueType } from "../src/print/spelling.ts";
import type { RawProgram, Shape } from "./raw.ts";

export const HEADER: string = openclHeader();
export const TYPED: readonly Scalar[] = SCALAR_NAMES.filter((type) => type !== "bool");
export const opsOf = (type: Scalar): readonly Op[] => OP_NAMES.filter((op) => opExists(op, type));
export const c = (name: string): string => name.replaceAll("-", "_");

/** A kernel for each operator; only the language's own functions give the place of an item. */
const PLACE = `
  const size_t group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
  const size_t lane = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
  const size_t i = group * FULL + lane;
`;

/** How a kernel calls the functions: by their names, through overloads, or by the standard's names. */
export type Names = "prefixed" | "overloaded" | "standard";

/** Elements of memory that are not the type by its name, since a device may lack it. */
interface Spelled {
  readonly memory: string;
  readonly scratch: string;
  readonly suffix: string;
  load(at: string): string;
  store(to: string, value: string): string;
}
const plainly = (memory: string, suffix: string): Spelled => ({
  memory,
  scratch: memory,
  suffix,
  load: (from) => `${from}[i]`,
  store: (to, value) => `${to}[i] = ${value}`,
});
const PREFIXED: Readonly<Partial<Record<Scalar, Spelled>>> = {
  f16: {
    memory: "half",
    scratch: "float",
    suffix: "_half",
    load: (from) => `vload_half(i, ${from})`,
    store: (to, value) => `vstore_half_rte(${value}, i, ${to})`,
  },
};
const BITS = plainly("ulong", "_double_bits");

const FAMILIES = {
  reduce: "reduce",
  "scan-inclusive": "scan_inclusive",
  "scan-exclusive": "scan_exclusive",
} as const;

/** Kernels of every operator. `bits`: of doubles, through their bits. */
export function kernels(type: Scalar, names: Names | "bits"): string {
  const T = valueType(type);
  const plain = plainly(T, names === "prefixed" ? `_${T}` : "");
  const spelled = names === "bits" ? BITS : (names === "prefixed" && PREFIXED[type]) || plain;
  const { memory, scratch, suffix, load, store } = spelled;
  const isStandard = names === "standard";
  return opsOf(type)
    .map((op) => {
      const stores = KINDS.map((kind) => {
        const name = `${FAMILIES[kind]}_${c(op)}`;
        const call = isStandard ? `work_group_${name}(${load("x")})` : `gw_${name}${suffix}(${load("x")}, s)`;
        return `  ${store(FAMILIES[kind], call)};`;
      });
      const outputs = KINDS.map((kind) => `global ${memory}* ${FAMILIES[kind]}`);
      return `
kernel void ${c(op)}_(${[`global const ${memory}* x`, ...outputs].join(", ")}) {
  ${isStandard ? "GROUPWISE_SCRATCH(FULL);" : `local ${scratch} s[GW_SCRATCH(FULL)];`}${PLACE}
${stores.join("\n")}
}`;
    })
    .join("\n");
}

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
export const program = (type: Scalar, names: Names | "bits", { local }: Shape): string =>
  `${HEADER}\n#define FULL ${product(local)}\n${kernels(type, names)}`;

/** Before the header: the device is taken for one without double. */
export const NO_DOUBLE = "#undef cl_khr_fp64\n#undef __opencl_c_fp64\n";
