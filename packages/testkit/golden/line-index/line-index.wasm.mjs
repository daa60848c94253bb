// line-index: made by groupwise 0.1.0. Do not edit; regenerate it with
//   groupwise emit pipeline.json --target wasm
// Inputs: u32 text[n]
// Outputs: u32 line[n], u32 starts[n], u32 lines[1]
// Strategy: one-thread

// The module, whose text is line-index.wat.
export const wasm = Uint8Array.from(
  `
  0061736d0100000001090160057f7f7f7f7f000228020967726f757077697365066d656d6f72790200010967726f757077697365056672616d65037f
  0003020100070a01066b65726e656c00000ad00501cd0501227f41002105200020004107716b21064100210720072006490440034020012007410274
  6a28020021082008410a4621092009210a200220074102746a2005360200200320054102746a230020091b200741016a3602002005200a6a21052007
  41016a210b200120074102746a280204210c200c410a46210d200d210e200220074102746a2005360204200320054102746a2300200d1b200b41016a
  3602002005200e6a2105200741026a210f200120074102746a28020821102010410a46211120112112200220074102746a2005360208200320054102
  746a230020111b200f41016a360200200520126a2105200741036a2113200120074102746a28020c21142014410a4621152015211620022007410274
  6a200536020c200320054102746a230020151b201341016a360200200520166a2105200741046a2117200120074102746a28021021182018410a4621
  192019211a200220074102746a2005360210200320054102746a230020191b201741016a3602002005201a6a2105200741056a211b20012007410274
  6a280214211c201c410a46211d201d211e200220074102746a2005360214200320054102746a2300201d1b201b41016a3602002005201e6a21052007
  41066a211f200120074102746a28021821202020410a46212120212122200220074102746a2005360218200320054102746a230020211b201f41016a
  360200200520226a2105200741076a2123200120074102746a28021c21242024410a46212520252126200220074102746a200536021c200320054102
  746a230020251b202341016a360200200520266a2105200741086a210720072006490d000b0b20062107200720004904400340200120074102746a28
  020021082008410a4621092009210a200220074102746a2005360200200320054102746a230020091b200741016a3602002005200a6a210520074101
  6a210720072000490d000b0b200420053602000b
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
