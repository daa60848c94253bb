// line-index: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wasm
// Inputs: u32 text[n]
// Outputs: u32 line[n], u32 starts[n], u32 lines[1]
// Strategy: one-thread

// The module, whose text is line-index.wat.
export const wasm = Uint8Array.from(
  `
  0061736d0100000001090160057f7f7f7f7f000228020967726f757077697365066d656d6f72790200010967726f757077697365056672616d65037f
  0003020100070a01066b65726e656c00000a6f016d01057f4100210541002106200620004904400340200120064102746a28020021072007410a4621
  0820082109200220064102746a2005360200200320054102746a230020081b200641016a360200200520096a2105200641016a210620062000490d00
  0b0b200420053602000b
  `.match(/\w\w/g),
  (byte) => parseInt(byte, 16),
);
const compiled = new WebAssembly.Module(wasm);

// The loops on a memory take launch scalars, then the byte offset of each array.
// They write `frameBytes` at `frame` too.
export const frameBytes = 8;
export function instantiate(memory, frame = 256) {
  const imports = { memory, frame: new WebAssembly.Global({ value: "i32" }, frame) };
  return new WebAssembly.Instance(compiled, { groupwise: imports }).exports.kernel;
}
// Arrays may be at byte 264 and higher; the loops check nothing.
export const memory = new WebAssembly.Memory({ initial: 1 });
export const kernel = instantiate(memory);

/**
 * Runs the pipeline.
 * @param values an array for each input, a value for each parameter
 * @param options n: the number of items; default: the length of the inputs
 * @throws TypeError, RangeError for wrong types, lengths or numbers of items
 */
export default function lineIndexPipeline(values, options = {}) {
  const n = options.n ?? values.text?.length;
  if (!Number.isSafeInteger(n) || n < 0 || n > 4026531840) throw new RangeError("n is not a number of items");
  const text = requireArray(values, "text", Uint32Array, n);
  const places = inMemory(264, [Uint32Array, text], [Uint32Array, n], [Uint32Array, n], [Uint32Array, 1]);
  kernel(n, ...places.map((view) => view.byteOffset));
  const line = places[1];
  const starts = places[2];
  const lines = places[3];
  return { line: line.slice(), starts: starts.slice(0, lines[0]), lines: lines.slice() };
}

function requireArray(values, name, type, length) {
  const array = values[name];
  if (!(array instanceof type)) throw new TypeError(`${name} must be a ${type.name}`);
  if (array.length !== length) throw new RangeError(`${name} has ${array.length} elements, not ${length}`);
  return array;
}
// Arrays in the memory: copies of arguments, and zeros where a length is given.
function inMemory(first, ...arrays) {
  let end = first;
  const places = arrays.map(([type, given]) => {
    const place = end;
    end += 16 * Math.ceil((type.BYTES_PER_ELEMENT * (given.length ?? given) + 1) / 16);
    return place;
  });
  const pages = Math.ceil((end - memory.buffer.byteLength) / 65536);
  if (pages > 0) memory.grow(pages);
  return arrays.map(([type, given], i) => {
    const view = new type(memory.buffer, places[i], given.length ?? given);
    if (given.length >= 0) view.set(given);
    else new Uint8Array(memory.buffer, places[i], view.byteLength).fill(0);
    return view;
  });
}
