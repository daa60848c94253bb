/** Ways to break the header that conformance suites of vendors do not see, and the check that does. */
import { CHECKED_HEADER } from "./header-checks.ts";

export interface Fault {
  readonly title: string;
  /** The check that must fail; others may too. */
  readonly check: string;
  break(header: string): string;
}

/** PoCL puts barriers of its own around loops with barriers; Oclgrind watches every access. */
export const RACE = "data race of consecutive calls";

function replaced(text: string, from: string | RegExp, to: string): string {
  const broken = text.replace(from, to);
  if (broken === text) throw new Error(`the header has no ${from}`);
  return broken;
}

/** A change inside of one function. */
const within =
  (name: string, from: string | RegExp, to: string) =>
  (header: string): string => {
    const start = header.search(new RegExp(`^GW_\\w+ \\w+ ${name}\\(`, "m"));
    const end = header.indexOf("\n}\n", start);
    if (start < 0 || end < 0) throw new Error(`the header has no function ${name}`);
    return header.slice(0, start) + replaced(header.slice(start, end), from, to) + header.slice(end);
  };

const BARRIER = /\n *barrier\(CLK_LOCAL_MEM_FENCE\);/;
const absent = (name: string, value: string): Fault["break"] =>
  within(name, /(\w+ theirs = .*) : .*;/, `$1 : ${value};`);
const body = (name: string, statements: string): Fault["break"] =>
  within(name, /\{\n[\s\S]*$/, `{\n  ${statements}`);
const serial = `__local float* all = (__local float*)scratch;
  const uint lane = gw_local_linear_id();
  barrier(CLK_LOCAL_MEM_FENCE);
  all[lane] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = all[0];
  for (uint i = 1; i < gw_local_size(); i++) sum += all[i];
  return sum;`;

export const FAULTS: readonly Fault[] = [
  {
    title: "absent work-items count as 0 in min",
    check: "reduce min int",
    break: absent("gw_reduce_min_int", "0"),
  },
  {
    title: "absent work-items count as 0 in max",
    check: "reduce max int",
    break: absent("gw_reduce_max_int", "0"),
  },
  {
    title: "absent work-items count as 0 in mul",
    check: "reduce mul int",
    break: absent("gw_reduce_mul_int", "0"),
  },
  {
    title: "absent work-items count as 0 in and",
    check: "reduce and int",
    break: absent("gw_reduce_and_int", "0"),
  },
  {
    title: "absent work-items count as false in all",
    check: "all",
    break: absent("gw_all_bool", "false"),
  },
  {
    title: "min of floats starts at the largest finite number",
    check: "reduce min float",
    break: absent("gw_reduce_min_float", "FLT_MAX"),
  },
  {
    title: "max of floats starts at the least positive number",
    check: "reduce max float",
    break: absent("gw_reduce_max_float", "FLT_MIN"),
  },
  {
    title: "an exclusive min of floats gives the largest finite number first",
    check: "exclusive scan min float",
    break: (header) =>
      within("gw_scan_exclusive_min_float", /return (.*);/, "return min($1, FLT_MAX);")(header),
  },
  {
    title: "broadcasts treat the work-group as a cube",
    check: "broadcast from (1, 2, 1)",
    break: within(
      "gw_place3",
      /return .*/,
      "return (uint)((z * get_local_size(0) + y) * get_local_size(0) + x);",
    ),
  },
  {
    title: "broadcasts swap y and z",
    check: "broadcast from (3, 0, 1)",
    break: within("gw_place3", "(z * get_local_size(1) + y)", "(y * get_local_size(2) + z)"),
  },
  {
    title: "broadcasts ignore the third coordinate",
    check: "broadcast from (1, 2, 1)",
    break: within("gw_place3", "(z * get_local_size(1) + y)", "y"),
  },
  {
    title: "a reduce lacks its first barrier",
    check: RACE,
    break: within("gw_reduce_add_int", BARRIER, ""),
  },
  {
    title: "a scan lacks its first barrier",
    check: RACE,
    break: within("gw_scans_add_int", BARRIER, ""),
  },
  {
    title: "a broadcast lacks its first barrier",
    check: "broadcast from (29)",
    break: within("gw_broadcast_int", BARRIER, ""),
  },
  {
    title: "a broadcast lacks its second barrier",
    check: "broadcast from (29)",
    break: within("gw_broadcast_int", /(lanes_i32\[0u\] = x;\s*\})\n *barrier\(CLK_LOCAL_MEM_FENCE\);/, "$1"),
  },
  { title: "all is never true", check: "all", break: body("gw_all_bool", "return false;") },
  { title: "any is always true", check: "any", break: body("gw_any_bool", "return true;") },
  {
    title: "all tests only the lowest bit",
    check: "all",
    break: within("gw_all", "predicate != 0, scratch", "predicate & 1, scratch"),
  },
  {
    title: "any tests only the lowest bit",
    check: "any",
    break: within("gw_any", "predicate != 0, scratch", "predicate & 1, scratch"),
  },
  {
    title: "min of floats loses a NaN",
    check: "reduce min float",
    break: body("gw_min_f32", "return fmin(a, b);"),
  },
  {
    title: "max of floats loses a NaN",
    check: "reduce max float",
    break: body("gw_max_f32", "return fmax(a, b);"),
  },
  {
    title: "min treats -0 and 0 as equal",
    check: "reduce min float",
    break: body("gw_min_f32", "return isnan(a) || a <= b ? a : b;"),
  },
  {
    title: "max treats -0 and 0 as equal",
    check: "reduce max float",
    break: body("gw_max_f32", "return isnan(a) || a >= b ? a : b;"),
  },
  {
    title: "mul adds",
    check: "reduce mul int",
    break: within("gw_reduce_mul_int", /(as_uint\(total\)) \* /, "$1 + "),
  },
  {
    title: "and is or",
    check: "reduce and int",
    break: within("gw_reduce_and_int", "total & theirs", "total | theirs"),
  },
  {
    title: "or is xor",
    check: "reduce or int",
    break: within("gw_reduce_or_int", "total | theirs", "total ^ theirs"),
  },
  {
    title: "xor is or",
    check: "reduce xor int",
    break: within("gw_reduce_xor_int", "total ^ theirs", "total | theirs"),
  },
  {
    title: "logical and is bitwise",
    check: "reduce logical_and int",
    break: within("gw_reduce_logical_and_int", "(x != 0) ? 1 : 0", "x"),
  },
  {
    title: "logical or is bitwise",
    check: "reduce logical_or int",
    break: within("gw_reduce_logical_or_int", "(x != 0) ? 1 : 0", "x"),
  },
  {
    title: "logical xor is bitwise",
    check: "reduce logical_xor int",
    break: within("gw_reduce_logical_xor_int", "(x != 0) ? 1 : 0", "x"),
  },
  {
    title: "float sums run from left to right",
    check: "reduce add float",
    break: body("gw_reduce_add_float", serial),
  },
  {
    title: "the linear id swaps y and z",
    check: "linear id",
    break: within(
      "gw_local_linear_id",
      "(get_local_id(2) * get_local_size(1) + get_local_id(1))",
      "(get_local_id(1) * get_local_size(2) + get_local_id(2))",
    ),
  },
  {
    title: "the linear id treats the work-group as a cube",
    check: "linear id",
    break: within("gw_local_linear_id", "get_local_size(1)", "get_local_size(0)"),
  },
  {
    title: "the global linear id treats the range as a cube",
    check: "global linear id",
    break: (header) =>
      replaced(header, "* get_global_size(1) + get_global_id(1)", "* get_global_size(0) + get_global_id(1)"),
  },
];

/** Each of them on the header of the checks. */
export const broken = (fault: Fault): string => fault.break(CHECKED_HEADER);
