/**
 * What conformance suites of vendors do not look at, as one kernel of many calls in a row. The oracles are plain loops.
 * A group has 5 x 3 x 2 work-items: no side equals another, and the last block of the butterfly is not full.
 */
import { randomOf } from "@groupwise/testkit";
import { openclHeader } from "../src/header.ts";
import type { RawProgram, Shape } from "./raw.ts";

const [SX, SY, SZ] = [5, 3, 2] as const;
const SIZE = SX * SY * SZ;
const lanes = Array.from({ length: SIZE }, (_, lane) => lane);
const place = (x: number, y: number, z: number): number => (z * SY + y) * SX + x;

type Numbers = readonly number[];
const numbers = (value: (lane: number) => number): Numbers => lanes.map(value);

const random = randomOf("header checks");
const bits = (): number => random.bits() | 0;
const INF = Number.POSITIVE_INFINITY;
const unsteady = (): number => Math.fround((random.unit() - 0.5) * 2 ** Math.round(random.unit() * 40 - 20));

/** Groups of one kind of data each: what an identity that is wrong, or a special value, would change. */
const INTS: readonly Numbers[] = [
  numbers((lane) => 7 + ((lane * 11) % 23)), // positive: no minimum is 0
  numbers((lane) => -7 - ((lane * 11) % 23)), // negative: no maximum is 0
  numbers((lane) => 2 * lane + 0x4001), // odd: the product is not 0; one bit is in all
  numbers(bits),
  numbers((lane) => (lane % 3) * 2), // predicates without their lowest bit
];
const PREDICATES: readonly Numbers[] = [
  numbers(() => 2),
  numbers(() => 0),
  numbers((lane) => (lane === SIZE - 1 ? 0 : 1)),
  numbers((lane) => (lane === 17 ? -(2 ** 31) : 0)),
  numbers((lane) => (lane * 6) & 4),
];
const FLOATS: readonly Numbers[] = [
  numbers(() => INF),
  numbers(() => -INF),
  numbers(unsteady),
  numbers((lane) => (lane === 11 ? Number.NaN : unsteady())),
  numbers((lane) => (lane % 4 === 1 ? -0 : 0)),
];
const GROUPS = INTS.length;

const fold =
  (combine: (a: number, b: number) => number) =>
  (list: Numbers): number =>
    list.reduce(combine);
const truth = (value: boolean): number => (value ? 1 : 0);

/** Sums of floats by the definition of the order: blocks of powers of two, the largest first. */
function inOrder(list: Numbers, combine: (a: number, b: number) => number): number {
  const block = (part: Numbers): number =>
    part.length === 1
      ? (part[0] as number)
      : combine(block(part.slice(0, part.length / 2)), block(part.slice(part.length / 2)));
  const low = list.length & -list.length;
  const last = block(list.slice(-low));
  return low === list.length ? last : combine(inOrder(list.slice(0, -low), combine), last);
}
const plus = (a: number, b: number): number => Math.fround(a + b);
const times = (a: number, b: number): number => Math.fround(a * b);

interface Check {
  readonly name: string;
  /** `v`, `p` and `f` are the work-item's int, predicate and float. */
  readonly call: string;
  readonly of: "v" | "p" | "f";
  /** What the work-item of a number gets. */
  want(list: Numbers, lane: number, group: number): number;
}
const reduce = (name: string, of: Check["of"], want: (list: Numbers) => number): Check => ({
  name: `reduce ${name} ${of === "f" ? "float" : "int"}`,
  call: `work_group_reduce_${name}(${of})`,
  of,
  want,
});
const broadcast = (of: Check["of"], ...[x, y, z]: readonly [number, number?, number?]): Check => {
  const at = [x, y, z].filter((one) => one !== undefined);
  return {
    name: `broadcast from (${at.join(", ")})`,
    call: `work_group_broadcast(${of}, ${at.join(", ")})`,
    of,
    want: (list) => list[at.length === 1 ? x : place(x, y ?? 0, z ?? 0)] as number,
  };
};
const scan = (kind: "inclusive" | "exclusive", op: string, of: Check["of"], want: Check["want"]): Check => ({
  name: `${kind} scan ${op} ${of === "f" ? "float" : "int"}`,
  call: `work_group_scan_${kind}_${op}(${of})`,
  of,
  want,
});
const add = (a: number, b: number): number => (a + b) | 0;
const and = (a: number, b: number): number => a & b;
const or = (a: number, b: number): number => a | b;
const xor = (a: number, b: number): number => a ^ b;

/** In the kernel's order: neighbours are such that a barrier missing between them shows. */
const CHECKS: readonly Check[] = [
  reduce("add", "v", fold(add)),
  { ...reduce("add", "p", fold(add)), name: "reduce add int, the next call" },
  reduce("mul", "v", fold(Math.imul)),
  reduce("min", "v", (list) => Math.min(...list)),
  reduce("max", "v", (list) => Math.max(...list)),
  reduce("and", "v", fold(and)),
  reduce("or", "v", fold(or)),
  reduce("xor", "v", fold(xor)),
  reduce("logical_and", "v", (list) => truth(list.every((x) => x !== 0))),
  reduce("logical_or", "v", (list) => truth(list.some((x) => x !== 0))),
  reduce("logical_xor", "v", (list) => list.filter((x) => x !== 0).length % 2),
  scan("inclusive", "add", "v", (list, lane) => list.slice(0, lane + 1).reduce(add)),
  scan("exclusive", "add", "v", (list, lane) => list.slice(0, lane).reduce(add, 0)),
  scan("exclusive", "max", "v", (list, lane) => Math.max(-(2 ** 31), ...list.slice(0, lane))),
  { name: "all", call: "work_group_all(p)", of: "p", want: (list) => truth(list.every((x) => x !== 0)) },
  { name: "any", call: "work_group_any(p)", of: "p", want: (list) => truth(list.some((x) => x !== 0)) },
  broadcast("v", 29),
  broadcast("v", 0),
  broadcast("v", 4, 2),
  broadcast("v", 1, 2, 1),
  broadcast("v", 3, 0, 1),
  broadcast("f", 2, 1, 0),
  reduce("add", "f", (list) => inOrder(list, plus)),
  reduce("mul", "f", (list) => inOrder(list, times)),
  reduce("min", "f", (list) => Math.min(...list)),
  reduce("max", "f", (list) => Math.max(...list)),
  scan("exclusive", "min", "f", (list, lane) => Math.min(...list.slice(0, lane))),
  scan("inclusive", "add", "f", (list, lane) => inOrder(list.slice(0, lane + 1), plus)),
  { name: "linear id", call: "(int)get_local_linear_id()", of: "v", want: (_, lane) => lane },
  {
    name: "global linear id",
    call: "(int)get_global_linear_id()",
    of: "v",
    want: (_, lane, group) => Math.floor(lane / SX) * GROUPS * SX + group * SX + (lane % SX),
  },
];

/** The functions of the kernel alone: a shorter text to compile. */
export const CHECKED_HEADER: string = openclHeader({
  functions: [
    ...["add", "mul", "min", "max", "and", "or", "xor"].map((op) => `reduce-${op}-i32`),
    ...["and", "or", "xor"].map((op) => `reduce-logical-${op}-i32`),
    ...["scan-inclusive-add-i32", "scan-exclusive-add-i32", "scan-exclusive-max-i32"],
    ...["reduce-add-f32", "reduce-mul-f32", "reduce-min-f32", "reduce-max-f32"],
    ...["scan-exclusive-min-f32", "scan-inclusive-add-f32", "all", "any", "broadcast-i32", "broadcast-f32"],
  ],
});

/** The kernel of all checks. Local ids by the language's own functions, so that a fault of the header's does not hide itself. */
export const CHECKED_KERNEL: string = `
kernel void checked(global const int* vs, global const int* ps, global const float* fs, global int* y, global float* z) {
  GROUPWISE_SCRATCH(${SIZE});
  const size_t lane = get_local_id(0) + ${SX} * get_local_id(1) + ${SX * SY} * get_local_id(2);
  const size_t i = ${SIZE} * get_group_id(0) + lane;
  const int v = vs[i], p = ps[i];
  const float f = fs[i];
${CHECKS.map(({ call, of }, k) => `  ${of === "f" ? "z" : "y"}[${k * GROUPS * SIZE} + i] = ${call};`).join("\n")}
}`;

const SHAPE: Shape = { global: [GROUPS * SX, SY, SZ], local: [SX, SY, SZ] };

/** Names of the checks that fail on a program. */
export function failures(program: RawProgram): string[] {
  const room = CHECKS.length * GROUPS * SIZE;
  const [y, z] = [new Int32Array(room), new Float32Array(room)];
  const data = [
    Int32Array.from(INTS.flat()),
    Int32Array.from(PREDICATES.flat()),
    Float32Array.from(FLOATS.flat()),
  ] as const;
  program.run("checked", [...data, y, z], SHAPE);
  const lists = { v: INTS, p: PREDICATES, f: FLOATS };
  return CHECKS.filter(({ of, want }, k) => {
    const out = of === "f" ? z : y;
    const isWrong = (list: Numbers, group: number): boolean =>
      lanes.some((lane) => !Object.is(out[(k * GROUPS + group) * SIZE + lane], want(list, lane, group)));
    return lists[of].some(isWrong);
  }).map(({ name }) => name);
}
