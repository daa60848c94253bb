#!/usr/bin/env bash
# One would guess that the sum over a window of two rows depends on these two rows, as their `max` over the same window does.
# SQLite 3.54.1 subtracts what leaves the window: after an infinity has left it, every sum is NULL, and after a sum that overflowed, every sum is
# infinite, whatever rows follow. `total` and `avg` do the same.
# Source: src/func.c, `sumInverse`. Runs SQLite as sql.js 1.17.0 has it. Needs Node 20 or newer with npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "module" }' >package.json
npm install --silent --no-audit --no-fund sql.js@1.17.0
cat >sums.js <<'JS'
import initSqlJs from "sql.js";

const database = new (await initSqlJs()).Database();
const valuesOf = (query) => database.exec(query)[0].values.map(([value]) => String(value)).join(" ");
console.log("SQLite", valuesOf("SELECT sqlite_version()"));
const COLUMNS = { infinity: ["1.0", "9e999", "2.0", "3.0", "4.0"], overflow: ["1e308", "1e308", "2.0", "3.0", "4.0"] };
const AS_FOUND = {
  "sum infinity": "1 Infinity Infinity null null",
  "max infinity": "1 Infinity Infinity 3 4",
  "sum overflow": "1e+308 Infinity Infinity Infinity Infinity",
  "max overflow": "1e+308 1e+308 1e+308 3 4",
};
for (const [name, column] of Object.entries(COLUMNS)) {
  const rows = column.map((value, i) => `(${i}, ${value})`).join(", ");
  for (const call of ["sum", "max"]) {
    const found = valuesOf(
      `WITH t(i, x) AS (VALUES ${rows}) SELECT ${call}(x) OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t`,
    );
    console.log(`${call} of windows of two of ${column}: ${found}`);
    if (found !== AS_FOUND[`${call} ${name}`]) process.exitCode = 1;
  }
}
JS
node sums.js
