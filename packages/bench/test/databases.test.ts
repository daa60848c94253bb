/** Queries on files that DuckDB and Polars wrote, beside the same queries by both. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { overColumns } from "@groupwise/arrow";
import { stringifyPipeline } from "@groupwise/core/schema";
import { f64, i64, pipeline, scalar } from "@groupwise/dsl";
import { reduceByKey, runLengthEncode, unique } from "@groupwise/primitives";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { isFullRun } from "@groupwise/testkit/conformance";
import { scratchDirectory } from "@groupwise/testkit/devices";
import { fetched } from "@groupwise/testkit/packed";
import { tableFromIPC } from "apache-arrow";
import { beforeAll, describe, expect, test } from "vitest";
import { say } from "../../cli/test/support.ts";

const POLARS = "0.26.1";
const PACKAGES = [
  "@duckdb/node-api@1.5.6-r.1",
  `nodejs-polars@${POLARS}`,
  // npm leaves it out where Node is older than the package asks for.
  `nodejs-polars-${process.platform}-${process.arch}-gnu@${POLARS}`,
];

const N = 5000;
/** Sorted keys, values in eighths, so that sums are exact in any order, and runs. */
const TABLE = `create table t as select i, (i // 37)::bigint as k, (i * i % 23 // 5)::bigint as r,
  case when i * 7 % 11 < 2 then null else (i * 7919 % 4001 - 2000) / 8.0 end::double as v
  from range(${N}) s(i) order by i`;

/** The results of all queries. */
interface Answers {
  readonly sums: readonly number[];
  readonly running: readonly number[];
  readonly highest: readonly number[];
  readonly runs: readonly number[];
  readonly lengths: readonly number[];
  readonly distinct: number;
}

const QUERIES: { readonly [K in keyof Answers]: string } = {
  sums: "select coalesce(sum(v), 0) from t group by k order by k",
  running: "select coalesce(sum(v) over (partition by k order by i), 0) from t order by i",
  highest: "select coalesce(max(v) over (partition by k order by i), '-inf') from t order by i",
  runs: "select min(r) from runs group by n order by n",
  lengths: "select count(*) from runs group by n order by n",
  distinct: "select count(distinct k) from t",
};
const RUNS = `create view runs as select r, sum(new) over (order by i) as n from
  (select i, r, (r is distinct from lag(r) over (order by i))::int as new from t)`;

const windows = (op: "add" | "max") =>
  pipeline(op, { v: f64, k: i64 }, ({ v, k }) => ({ out: v.scanInclusive(op, { keys: k }) }));
const DOCUMENTS = {
  sums: reduceByKey(i64, "add", f64),
  running: windows("add"),
  highest: windows("max"),
  runs: runLengthEncode(i64),
  distinct: unique(i64),
};

/** The outputs of a run of the command line on a file. */
async function run(
  folder: string,
  name: keyof typeof DOCUMENTS,
  ...args: string[]
): Promise<Record<string, number[]>> {
  writeFileSync(join(folder, `${name}.json`), stringifyPipeline(DOCUMENTS[name].ir));
  const { err, json } = await say(folder, `run ${name}.json --target js --show ${N} --json`, ...args);
  expect(err).toBe("");
  const { ok, error, outputs } = json();
  expect({ ok, error }).toEqual({ ok: true, error: undefined });
  const lists = Object.entries(outputs as Record<string, { first: unknown[] }>).map(([key, { first }]) => [
    key,
    first.map((x) => (x === "-inf" ? Number.NEGATIVE_INFINITY : Number(x))),
  ]);
  return Object.fromEntries(lists);
}

async function answersOf(folder: string, file: string): Promise<Answers> {
  const from = (...columns: readonly string[]) =>
    columns.flatMap((one) => ["-i", one.replace("=", `=${file}:`)]);
  const sums = await run(folder, "sums", ...from("keys=k", "x=v"), "--null", "0");
  const running = await run(folder, "running", ...from("k=k", "v=v"), "--null", "0");
  const highest = await run(folder, "highest", ...from("k=k", "v=v"), "--null=-inf");
  const runs = await run(folder, "runs", ...from("x=r"));
  const distinct = await run(folder, "distinct", ...from("x=k"));
  return {
    sums: (sums.results as number[]).slice(0, (sums.count as number[])[0]),
    running: running.out as number[],
    highest: highest.out as number[],
    runs: (runs.runs as number[]).slice(0, (runs.count as number[])[0]),
    lengths: (runs.lengths as number[]).slice(0, (runs.count as number[])[0]),
    distinct: (distinct.count as number[])[0] as number,
  };
}

/** The files, by who wrote them. */
const FILES = {
  "DuckDB's CSV": "d.csv",
  "DuckDB's CSV, all in quotes, compressed": "quoted.csv.gz",
  "DuckDB's text with tabs": "d.tsv",
  "Polars' CSV": "p.csv",
  "Polars' Arrow": "p.arrow",
} as const;

describe.skipIf(!isFullRun())("beside DuckDB and Polars", () => {
  const folder = scratchDirectory();
  let duck: Answers;
  let polars: Answers;

  beforeAll(async () => {
    const modules = await fetched(...PACKAGES);
    if (!modules.found) throw new Error(`${modules.reason}; ${modules.remedy}`);
    const load = (path: string) => import(pathToFileURL(join(modules.value, path)).href);
    const { DuckDBInstance } = await load("@duckdb/node-api/lib/index.js");
    const database = await (await DuckDBInstance.create(":memory:")).connect();
    for (const statement of [TABLE, RUNS]) await database.run(statement);
    const copy = (name: string, options: string) =>
      database.run(`copy t to '${join(folder, name)}' (${options})`);
    await copy("d.csv", "header");
    await copy("quoted.csv.gz", "header, force_quote *, compression gzip");
    await copy("d.tsv", "header, delimiter '\t'");
    duck = await answersBy(async (query) => {
      const rows = await (await database.runAndReadAll(query)).getRows();
      return rows.map(([x]: [unknown]) => Number(x));
    });
    const { default: pl } = await load("nodejs-polars/bin/index.js");
    const frame = pl.readCSV(join(folder, "d.csv"));
    frame.writeCSV(join(folder, "p.csv"));
    frame.writeIPC(join(folder, "p.arrow"));
    polars = polarsAnswers(pl, frame);
  }, 600_000);

  test("both give the same answers", () => {
    expect(duck.sums.length).toBe(Math.ceil(N / 37));
    expect(polars).toEqual(duck);
  });

  test.each(Object.entries(FILES))("%s gives them here", async (_, file) => {
    expect(await answersOf(folder, file)).toEqual(duck);
  });

  test("a column of Polars with nulls gives them as vectors", async () => {
    const table = tableFromIPC(readFileSync(join(folder, "p.arrow")));
    const [v, k] = ["v", "k"].map((name) => table.getChild(name)) as never[];
    const program = overColumns(
      jsRuntime(),
      pipeline("columns", { v: f64, k: i64 }, ({ v, k }) => ({
        running: v.scanInclusive("add", { keys: k }),
        highest: v.scanInclusive("max", { keys: k }),
        total: scalar(v.reduce("add")),
      })),
    );
    const { running, highest, total } = await program.run({ v: v as never, k: k as never });
    expect([...running]).toEqual(duck.running);
    expect([...highest]).toEqual(duck.highest);
    expect(total).toBe(duck.sums.reduce((a, b) => a + b));
  });
});

async function answersBy(query: (text: string) => Promise<number[]>): Promise<Answers> {
  const lists = new Map<string, number[]>();
  for (const [name, text] of Object.entries(QUERIES)) lists.set(name, await query(text));
  return { ...Object.fromEntries(lists), distinct: lists.get("distinct")?.[0] } as unknown as Answers;
}

// biome-ignore lint/suspicious/noExplicitAny: fetched at run time, without its types
function polarsAnswers(pl: any, frame: any): Answers {
  const numbers = (series: { toArray(): (number | bigint)[] }): number[] => series.toArray().map(Number);
  const sums = frame.groupBy("k").agg(pl.col("v").sum().alias("s")).sort("k").getColumn("s");
  const values = (empty: number) => frame.select(pl.col("k"), pl.col("v").fillNull(empty));
  const over = (empty: number, name: "cumSum" | "cumMax") =>
    values(empty).select(pl.col("v")[name]().over("k").alias("x")).getColumn("x");
  // nodejs-polars has no run lengths: a plain loop.
  const r = numbers(frame.getColumn("r"));
  const begins = r.flatMap((x, i) => (i === 0 || x !== r[i - 1] ? [i] : []));
  return {
    sums: numbers(sums),
    running: numbers(over(0, "cumSum")),
    highest: numbers(over(Number.NEGATIVE_INFINITY, "cumMax")),
    runs: begins.map((i) => r[i] as number),
    lengths: begins.map((i, j) => (begins[j + 1] ?? N) - i),
    distinct: frame.getColumn("k").nUnique(),
  };
}
