/** The Fenwick order of a scan as a drawing: blocks, the prefixes combined from them, and the lines between. */

/** A total of an aligned block, or a prefix: its position, and which items it combines. */
export interface Cell<T> {
  readonly key: string;
  /** Items `from` up to, not including, `to`. */
  readonly from: number;
  readonly to: number;
  /** 0 at the items; prefixes are in the last row. */
  readonly row: number;
  readonly value: T;
}

/** From a value to what it is combined into. */
export interface Line {
  readonly from: string;
  readonly to: string;
}

/** What is drawn. */
export interface Drawing<T> {
  readonly cells: readonly Cell<T>[];
  readonly prefixes: readonly Cell<T>[];
  readonly lines: readonly Line[];
  /** Rows of blocks; the prefixes are below them. */
  readonly rows: number;
}

const low = (m: number): number => m & -m;

/**
 * Every aligned power-of-two block that some prefix needs, and all prefixes, in the order of docs/decisions/float-order.md.
 * @param items at most 64 of them can be read in a drawing
 */
export function drawingOf<T>(items: readonly T[], op: (left: T, right: T) => T): Drawing<T> {
  const cells = new Map<string, Cell<T>>();
  const lines: Line[] = [];
  const block = (from: number, size: number): Cell<T> => {
    const key = `${from}+${size}`;
    const known = cells.get(key);
    if (known) return known;
    const row = Math.log2(size);
    if (size === 1) {
      const leaf = { key, from, to: from + 1, row, value: items[from] as T };
      cells.set(key, leaf);
      return leaf;
    }
    const [left, right] = [block(from, size / 2), block(from + size / 2, size / 2)];
    const made = { key, from, to: from + size, row, value: op(left.value, right.value) };
    cells.set(key, made);
    lines.push({ from: left.key, to: key }, { from: right.key, to: key });
    return made;
  };
  const prefixes: Cell<T>[] = [];
  for (let m = 1; m <= items.length; m++) {
    const last = block(m - low(m), low(m));
    const before = prefixes[m - low(m) - 1];
    const key = `P${m}`;
    prefixes.push({
      key,
      from: 0,
      to: m,
      row: -1,
      value: before ? op(before.value, last.value) : last.value,
    });
    lines.push({ from: last.key, to: key });
    if (before) lines.push({ from: before.key, to: key });
  }
  const rows = Math.max(0, ...[...cells.values()].map(({ row }) => row + 1));
  return { cells: [...cells.values()], prefixes, lines, rows };
}
