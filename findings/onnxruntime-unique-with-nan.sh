#!/usr/bin/env bash
# One would guess that Unique of NaN, NaN, 0, 7, 1 (ONNX, Unique-11) has 0, 7 and 1 among its values, and that its values at its inverse indices are the
# input again, as the operator is defined.
# onnxruntime 1.30.0 returns NaN alone, five times: it looks items up in an ordered map by `<`, for which a NaN is neither before nor behind
# anything, so that it equals every item. A later NaN is counted as some number: Unique of 1, NaN, 0, 2, 1 has 1 three times, and the inverse
# indices give 1 in the place of NaN. There is no error. With sorted=0, for doubles, in onnxruntime-web 1.30.0 and in 1.20.1 it is the same.
# npm: onnxruntime-node 1.30.0, Linux, x86-64. Needs npm, and Node 20 or newer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >unique.cjs <<'J'
const ort = require("onnxruntime-node");
// A model in protobuf: fields with a length, numbers, and text.
const bytes = (id, data) => Buffer.concat([Buffer.from([(id << 3) | 2, data.length]), data]);
const text = (id, value) => bytes(id, Buffer.from(value));
const number = (id, value) => Buffer.from([id << 3, value]);
const [FLOAT, INT64] = [1, 7];
const info = (name, type, side) => {
  const dims = bytes(2, bytes(1, text(2, side)));
  return Buffer.concat([text(1, name), bytes(2, bytes(1, Buffer.concat([number(1, type), dims])))]);
};
const outputs = { values: FLOAT, first: INT64, inverse: INT64, counts: INT64 };
const node = Buffer.concat([text(1, "x"), ...Object.keys(outputs).map((name) => text(2, name)), text(4, "Unique")]);
const infos = Object.entries(outputs).map(([name, type]) => bytes(12, info(name, type, name === "inverse" ? "n" : "m")));
const parts = [bytes(1, node), text(2, "g"), bytes(11, info("x", FLOAT, "n")), ...infos];
const graph = Buffer.concat(parts);
const length = Buffer.from([(graph.length & 127) | 128, graph.length >> 7]);
const model = Buffer.concat([number(1, 8), Buffer.from([(7 << 3) | 2]), length, graph, bytes(8, number(2, 17))]);
(async () => {
  const session = await ort.InferenceSession.create(model, { logSeverityLevel: 4 });
  for (const x of [[4, 7, 0, 2, 4], [NaN, NaN, 0, 7, 1], [1, NaN, 0, 2, 1]]) {
    const { values, counts, inverse } = await session.run({ x: new ort.Tensor("float32", x, [x.length]) });
    const back = [...inverse.data].map((at) => values.data[Number(at)]);
    console.log(`${x}: values ${values.data}, counts ${counts.data}, values at the inverse indices ${back}`);
  }
})();
J
cat >expected <<'T'
4,7,0,2,4: values 0,2,4,7, counts 1,1,2,1, values at the inverse indices 4,7,0,2,4
NaN,NaN,0,7,1: values NaN, counts 5, values at the inverse indices NaN,NaN,NaN,NaN,NaN
1,NaN,0,2,1: values 0,1,2, counts 1,3,1, values at the inverse indices 1,1,0,2,1
T
echo '{}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts onnxruntime-node@1.30.0
grep '"version"' node_modules/onnxruntime-node/package.json
node unique.cjs | tee seen
diff seen expected
