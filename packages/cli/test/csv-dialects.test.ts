/** Tables as other programs write them: NumPy 2.4, pandas 3.0, Polars 1.44, pyarrow 25, DuckDB 1.5, spreadsheets. */
import { expect, test } from "vitest";
import { folder, readCsv } from "./support.ts";

const NAN = Number.NaN;
const INF = Number.POSITIVE_INFINITY;
const [LEAST, MOST] = [5e-324, Number.MAX_VALUE];

test.each<[writer: string, text: string, column: string, values: readonly number[], absent?: string]>([
  [
    "numpy.savetxt",
    "a,b\n1.000000000000000056e-01,1\n1.000000000000000053e+300,2\n-0.000000000000000000e+00,3\nnan,4\n-inf,5\n4.940656458412465442e-324,6\n1.797693134862315708e+308,7\n",
    "a",
    [0.1, 1e300, -0, NAN, -INF, LEAST, MOST],
  ],
  [
    "pandas, all in quotes",
    '"a","t"\r\n"0.1","x,y"\r\n"1e+300","x\ny"\r\n"-0.0","x""y"\r\n"",""\r\n"inf","x"\r\n"5e-324","x"\r\n',
    "a",
    [0.1, 1e300, -0, NAN, INF, LEAST],
    "nan",
  ],
  [
    "pandas, one column",
    'a\n0.1\n-0.0\n""\n-inf\n1.7976931348623157e+308\n',
    "a",
    [0.1, -0, NAN, -INF, MOST],
    "nan",
  ],
  ["Polars", "a\n0.1\n1e+300\n-0.0\nNaN\n\ninf\n", "a", [0.1, 1e300, -0, NAN, 7, INF], "7"],
  ["pyarrow", '"a"\n0.1\n\nnan\ninf\n', "a", [0.1, 7, NAN, INF], "7"],
  ["pyarrow, without headings", "0.1\n\nnan\ninf\n", "0", [0.1, 7, NAN, INF], "7"],
  ["DuckDB", "a,k\n1e+300,1\n,2\n1e-07,\n", "a", [1e300, 7, 1e-7], "7"],
  ["DuckDB, one column that ends in nulls", "x\n1.5\n\n\n", "x", [1.5, 7, 7], "7"],
  ["a spreadsheet", '\ufeffsep=;\r\n"a "; "b"\r\n 1 ; "2"\r\n3;4\r\n', "b", [2, 4]],
  ["lines that end in CR", "a,b\r1,2\r3,4\r", "b", [2, 4]],
  [
    "signs, points without digits, and capitals",
    "a\n+1\n.5\n-5.\n1E3\nINF\n-Infinity\n",
    "a",
    [1, 0.5, -5, 1000, INF, -INF],
  ],
])("%s", async (_, text, column, values, absent) => {
  const read = await readCsv("a.csv", folder({ "a.csv": text }), "f64", column, absent);
  expect([...read]).toEqual(values);
});

test("a column past thousands of others", async () => {
  const row = (of: (i: number) => string): string => Array.from({ length: 5000 }, (_, i) => of(i)).join(",");
  const cwd = folder({ "a.csv": `${row((i) => `c${i}`)}\n${row(String)}\n${row((i) => `${2 * i}`)}\n` });
  expect([...(await readCsv("a.csv", cwd, "u32", "c4999"))]).toEqual([4999, 9998]);
});
