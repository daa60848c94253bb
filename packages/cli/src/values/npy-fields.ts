/** The fields of a structured .npy file, whose `descr` is a list in Python's syntax. */

/** A field of every item. */
export interface NpyField {
  readonly name: string;
  /** As in the file, byte order included: `<f4`; undefined for structures and arrays within. */
  readonly descr: string | undefined;
  /** Bytes from the first of an item. */
  readonly offset: number;
}

/** The layout of an item. */
export interface NpyItem {
  readonly fields: readonly NpyField[];
  readonly bytes: number;
}

type Literal = string | number | readonly Literal[];

const TOKEN = /\s*(?:('[^'\\\n]*'|"[^"\\\n]*")|(\d{1,15})L?|([[\](),]))/y;

const noFields = (): Error => new Error("its header has a descr that is not a list of fields");

/** A string, a whole number, a tuple or a list. @throws Error for other text */
function literal(text: string): Literal {
  TOKEN.lastIndex = 0;
  const next = (): RegExpExecArray => {
    const found = TOKEN.exec(text);
    if (!found) throw noFields();
    return found;
  };
  const value = ([, quoted, digits, mark]: RegExpExecArray): Literal => {
    if (quoted !== undefined) return quoted.slice(1, -1);
    if (digits !== undefined) return Number(digits);
    const end = mark === "[" ? "]" : ")";
    const items: Literal[] = [];
    for (let token = next(); token[3] !== end; token = next()) if (token[3] !== ",") items.push(value(token));
    return items;
  };
  const all = value(next());
  if (TOKEN.lastIndex < text.length) throw noFields();
  return all;
}

/** Bytes of a type: `<f4`, `|S3`, `<U3` of four bytes each, `<M8[ns]`. */
function bytesOf(descr: string): number {
  const [, kind, count] = /^[<>|=]?([a-zA-Z])(\d+)(?:\[\w+\])?$/.exec(descr) ?? [];
  if (kind === undefined) throw new Error(`its header has a field of the type ${descr}`);
  return Number(count) * (kind === "U" ? 4 : 1);
}

const isList = (one: Literal | undefined): one is readonly Literal[] => typeof one === "object";

/** @throws Error whose message follows "it is not a readable .npy file" */
export function itemOf(list: string): NpyItem {
  return itemIn(literal(list));
}

function itemIn(list: Literal): NpyItem {
  const fields: NpyField[] = [];
  let bytes = 0;
  for (const field of isList(list) ? list : []) {
    const [given, descr, shape = []] = isList(field) ? field : [];
    // A title stands before the name.
    const name = isList(given) ? given[1] : given;
    if (typeof name !== "string" || descr === undefined || typeof descr === "number") throw noFields();
    const own = isList(descr) ? itemIn(descr).bytes : bytesOf(descr);
    const count = (isList(shape) ? shape : [shape]).reduce<number>((all, side) => all * Number(side), 1);
    const isPlain = typeof descr === "string" && count === 1 && isList(shape) && shape.length === 0;
    // Padding has no name.
    if (name !== "") fields.push({ name, descr: isPlain ? descr : undefined, offset: bytes });
    bytes += own * count;
  }
  return { fields, bytes };
}
