#!/usr/bin/env bash
# One would guess that an Arrow file holds, after its magic and padding, a complete stream that begins with the schema and can be read without the
# footer: "what follows in the file is identical to the stream format" (Arrow columnar format 1.5, IPC file format).
# apache-arrow 21.2.0 for JavaScript writes no schema there: the first message of `tableToIPC(table, "file")` is a record batch (or a dictionary), and the schema is only in
# the footer. A reader that takes the stream from a pipe, or from a file whose end is lost, cannot read it. Its own streams begin with the schema.
# Source: apache-arrow 21.2.0, ipc/writer.js, RecordBatchFileWriter._writeSchema; https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format
# Needs npm and Node 20 or newer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts apache-arrow@21.2.0
grep '"version"' node_modules/apache-arrow/package.json
cat >file.mjs <<'JS'
import { Float64, Message, MessageHeader, Table, tableToIPC, vectorFromArray } from "apache-arrow";

const table = new Table({ x: vectorFromArray([1, 2, 3], new Float64()) });
/** The kind of the message that begins at a byte: a mark, the length of its header, and the header. */
const kindAt = (bytes, at) => {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getInt32(at + 4, true);
  return MessageHeader[Message.decode(bytes.subarray(at + 8, at + 8 + length)).headerType];
};
const found = { stream: kindAt(tableToIPC(table, "stream"), 0), file: kindAt(tableToIPC(table, "file"), 8) };
console.log("first message:", found);
process.exit(found.stream === "Schema" && found.file === "RecordBatch" ? 0 : 1);
JS
node file.mjs
