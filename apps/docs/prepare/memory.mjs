// Scratch of primitives beside CUB's temporary storage.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryRows } from "@groupwise/bench/memory";
import { RESULTS } from "./benchmarks.mjs";
import { code, page, table } from "./markdown.mjs";

const [MANY, GIB] = [2 ** 28, 2 ** 30];
const MOST = 2 ** 30;

/** Bytes an item, to three digits; what is less than a thousandth is nearly none. */
const share = (bytes) =>
  bytes === 0 ? "0" : bytes < 0.001 ? "< 0.001" : String(Number(bytes.toPrecision(3)));

const cubCell = ({ cub }) =>
  cub
    .map(({ name, bytes }) => share(bytes) + (name.includes(", ") ? ` (${name.split(", ")[1]})` : ""))
    .join("; ");

/** The memory of sorts of 2^30 items: arrays of four bytes and scratch, in GiB. */
async function sortTable(peer) {
  const rows = await memoryRows(MOST, peer, (name) => name.startsWith("radix sort"));
  const cells = rows.flatMap(({ name, wgsl, opencl, cuda, cub: [whole, double] }) => {
    const arrays = name.includes("pairs") ? 4 : 2;
    const gib = (count, bytes) => ((count * 4 * MOST + bytes * MOST) / GIB).toFixed(2);
    return [
      [name, ...[wgsl, opencl, cuda, whole.bytes].map((bytes) => gib(arrays, bytes))],
      [
        `${name}, over its input`,
        ...[wgsl, opencl, cuda].map((bytes) => gib(arrays / 2, bytes)),
        `${gib(arrays, double.bytes)} (DoubleBuffer)`,
      ],
    ];
  });
  return table(["2^30 items, GiB in all", "WGSL", "OpenCL C", "CUDA", "CUB"], cells);
}

export async function memoryPage() {
  const peer = JSON.parse(readFileSync(join(RESULTS, "cub-memory.json"), "utf8"));
  const rows = await memoryRows(MANY, peer);
  return page(
    "Memory",
    "the plans of the primitives, and `packages/bench/results/cub-memory.json`",
    `${code("groupwise explain PIPELINE --target wgsl --n 1000000")} prints the memory of a run at most: bytes of inputs, outputs and scratch; ${code("--json")} has them as ${code("memory")}. ` +
      `They are what the runtime allocates for arrays. The scalars of the launch (at most a few hundred bytes) and the driver's own memory come on top. In WebGPU, scratch of up to 64 MiB is in a buffer of the next power of two, which later runs use again.`,
    `A program asks with ${code("executable.scratchBytes(n)")}, and of a prepared primitive with ${code("prepared.scratchBytes({ keys: n })")}, before anything is allocated.`,
    "## Scratch in bytes an item",
    `Beside inputs and outputs, of 2^28 items of four bytes where the name says nothing else, on a GPU whose scans look back and, in WGSL, with subgroups of 32 work-items. CUB ${peer.version}: what the first call of each algorithm asks for on an ${peer.device}; ` +
      `${code("DoubleBuffer")} is the form in which both of the caller's arrays are overwritten.`,
    table(
      ["", "WGSL", "OpenCL C", "CUDA", "CUB"],
      rows.map((row) => [row.name, share(row.wgsl), share(row.opencl), share(row.cuda), cubCell(row)]),
    ),
    "A segmented reduce scans the items by flags, each a word (in CUDA a byte), where CUB has a work-group for each segment; a segmented sort keeps the place of each item. " +
      "A sort of rows is one sort by the number of the row and the key, where CUB's segmented sort moves pairs. A reduction by index keeps the sorted items and a lane for each, or two where sums round. " +
      "A merge and set operations are of n items in all; a decoded array has n. Cells are empty where CUB has no such algorithm.",
    "## Sorting 2^30 items",
    await sortTable(peer),
    "A sort takes one temporary array for the keys and one for the values, as CUB does, and 256 counts for each tile. Where the number of steps is even, such as for all bits, the output may be the input's array: " +
      `${code("record(recorder, { keys, sorted: keys })")}. Then the memory is that of CUB's ${code("DoubleBuffer")}, but for the counts. ` +
      "In WebGPU, arrays longer than a binding, which is less than 2 GiB on many devices, [are split into parts](./limits.md): there a pass over 2^30 keys binds nine buffers (each array has three parts, and three are for counts), over 2^30 pairs fifteen. Request a larger `maxStorageBuffersPerShaderStage` than its default of 8. Scratch of several buffers may have a gap at the end of each. Lengths have 32 bits; 2^30 is below every [limit](./limits.md).",
  );
}
