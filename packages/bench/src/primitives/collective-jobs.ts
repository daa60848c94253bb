/** Scans and reduces of every type, and a scan of records, for comparison with `copy`. */
import { affine, f16, f32, f64, i32, i64, pipeline, u32, u64 } from "@groupwise/dsl";
import { all, hash, hashed, type Job, options, type Read, wordsOf, wrongOf } from "./job.ts";
import { OPERANDS, type PrefixOperands } from "./operands.ts";

const TYPES = { u32, i32, f32, f16, f64, u64, i64 };
const FORMS = { scan: "scanInclusive", "exclusive scan": "scanExclusive", reduce: "reduce" } as const;
type Kind = keyof typeof FORMS;

const lengthOf = (kind: Kind, n: number): number => (kind === "reduce" ? 1 : n);

async function check(
  kind: Kind,
  { type, prefixes }: PrefixOperands,
  n: number,
  read: Read,
): Promise<string | undefined> {
  const got = wordsOf(await read("y"));
  const prefix = prefixes();
  const words = type.endsWith("64") ? 2 : 1;
  // The last item of the prefix of element i. The first element of an exclusive scan is the identity and is not checked.
  const shift = { scan: 0, "exclusive scan": -1, reduce: n - 1 }[kind];
  for (let i = kind === "exclusive scan" ? 1 : 0; i < lengthOf(kind, n); i++)
    for (let k = 0; k < words; k++) {
      const [have, want] = [got[words * i + k], prefix(i + shift, k)];
      if (have !== want) return `word ${k} of y[${i}] is ${have}, not ${want}`;
    }
  return undefined;
}

function job(kind: Kind, operands: PrefixOperands): Job {
  const { op, type, at } = operands;
  const name = `${kind} ${op} ${type}`;
  const id = name.replaceAll(" ", "-");
  const what = pipeline(
    id,
    { x: TYPES[type] as typeof f32 },
    ({ x }) => ({ y: x[FORMS[kind]](op) }),
    options,
  );
  const source = pipeline(`make-${id}`, {}, (_, { index }) => ({ x: at(index()) }), options);
  return {
    name,
    what,
    inputs: [{ source: source as never, items: all }],
    outputs: (n) => ({ y: lengthOf(kind, n) }),
    check: (n, read) => check(kind, operands, n, read),
  };
}

/** Coefficients of a recurrence in u32, which wraps. */
const AFFINE: Job = {
  name: "scan affine u32",
  what: pipeline(
    "scan-affine-u32",
    { a: u32, b: u32 },
    (maps) => ({ y: affine(u32).scanInclusive(maps).b }),
    options,
  ),
  inputs: [
    {
      source: pipeline(
        "make-maps",
        {},
        (_, { index }) => ({ a: hashed(index()).or(1), b: hashed(index().add(1)) }),
        options,
      ),
      items: all,
    },
  ],
  outputs: (n) => ({ y: n }),
  check: async (n, read) => {
    let y = 0;
    return wrongOf("y", await read("y"), n, (i) => {
      y = (Math.imul(hash(i) | 1, y) + hash(i + 1)) >>> 0;
      return y;
    });
  },
};

const isPlain = ({ op, type }: PrefixOperands): boolean => op === "add" && (type === "u32" || type === "f32");

export const COLLECTIVE_JOBS: readonly Job[] = [
  ...OPERANDS.map((operands) => job("scan", operands)),
  ...OPERANDS.filter(isPlain).map((operands) => job("exclusive scan", operands)),
  ...OPERANDS.map((operands) => job("reduce", operands)),
  AFFINE,
];
