#!/usr/bin/env bash
# One would guess that an Arrow vector for which `instanceof Vector` and `isArrowVector` are true can be written by the library that says so.
# apache-arrow 21.2.0 for JavaScript has a build for `import` and one for `require`, and each accepts the vectors of the other. `tableToIPC` of one build writes
# a table of a vector of the other without an error and without its buffers: its own reader cannot read the stream.
# Source: apache-arrow 21.2.0, vector.js (`Symbol.hasInstance`) and visitor.js (`instanceof DataType`). Needs npm and Node 20 or newer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts apache-arrow@21.2.0
grep '"version"' node_modules/apache-arrow/package.json
cat >builds.mjs <<'JS'
import { createRequire } from "node:module";
import * as imported from "apache-arrow";

const required = createRequire(import.meta.url)("apache-arrow");
const vectorOf = (arrow) => arrow.vectorFromArray([1, 2, 3], new arrow.Float64());
const [own, other] = [vectorOf(required), vectorOf(imported)];
console.log("instanceof Vector:", other instanceof required.Vector, "isArrowVector:", required.isArrowVector(other));
const read = (vector) => {
  const bytes = required.tableToIPC(new required.Table({ vector }));
  try {
    return `${bytes.length} bytes, read: ${[...required.tableFromIPC(bytes).getChild("vector")]}`;
  } catch (error) {
    return `${bytes.length} bytes, not readable`;
  }
};
const found = { own: read(own), other: read(other) };
console.log(found);
const isAsFound = other instanceof required.Vector && found.own.endsWith("read: 1,2,3") && found.other.endsWith("not readable");
process.exit(isAsFound ? 0 : 1);
JS
node builds.mjs
