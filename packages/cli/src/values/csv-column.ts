/** One column of a table, which is read record by record. */
import type { ArrayType, ScalarValue } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { STDIN } from "../base/files.ts";
import { badFile, badUsage } from "../base/problem.ts";
import { oneOf } from "../base/suggest.ts";
import { absentElement } from "./absent.ts";
import { type Cells, isBlank } from "./csv-rows.ts";
import type { Growing } from "./growing.ts";
import { parseElement } from "./scalar.ts";

/** The column that an input takes. */
export interface WantedColumn {
  /** The name of the input. */
  readonly name: string;
  readonly type: ArrayType;
  /**
   * A heading of the first line, or a number from 0 for files without headings; `"2"` is a heading and `#2` a number in any case. Where it is
   * absent, the heading is the name of the input; a file with one column may have no heading.
   */
  readonly column: string | undefined;
}

/** Where a column is, and how its empty cells are read. */
export interface OfTable {
  readonly path: string;
  /** The value of `--null`. */
  readonly absent: string | undefined;
}

/** A name for the column that is asked for: a heading, a number, or what the first line decides. */
interface Asked {
  readonly heading?: string;
  readonly number?: number;
}

function askedOf(column: string): Asked {
  const [, heading, number] = /^(?:"(.*)"|#(\d+))$/s.exec(column) ?? [];
  if (heading !== undefined) return { heading: heading.trim() };
  if (number !== undefined) return { number: Number(number) };
  return /^\d+$/.test(column) ? { heading: column, number: Number(column) } : { heading: column.trim() };
}

/** Whether a first line may be headings that are numbers, as pandas writes them above columns without names: distinct whole numbers. */
function mayBeHeadings(first: readonly string[]): boolean {
  const known = first.filter((one) => one !== "");
  return known.every((one) => /^(0|[1-9]\d*)$/.test(one)) && new Set(known).size === known.length;
}

/** One column of a table. */
export class CsvColumn {
  private readonly of: OfTable;
  private readonly wanted: WantedColumn;
  private readonly toHost: (value: ScalarValue) => number | bigint;
  /** Those of the first record as errors list them; undefined if it has none. */
  private headings: readonly string[] | undefined;
  private at: number | undefined;
  /** Blank lines before the first record of one cell: values that are absent, unless that is a heading. */
  private blanks = 0;
  private row = 0;

  constructor(of: OfTable, wanted: WantedColumn) {
    this.of = of;
    this.wanted = wanted;
    this.toHost = arraySpec(wanted.type).toHost;
  }

  /**
   * Adds the value of a record. The first record may be the headings, which have no value.
   * @param skip values that are skipped unread, from the first
   * @throws GroupwiseError `bad-file`, `bad-usage`
   */
  read(record: Cells, values: Growing, skip: number = 0): void {
    if (this.at === undefined) {
      if (isBlank(record)) {
        this.blanks++;
        return;
      }
      const first = record.map((cell) => cell.trim());
      this.place(first, values, skip);
    }
    this.row++;
    if (this.items > skip) values.push(this.element(record[this.at as number] as string));
  }

  /** Number of values that were read or skipped. */
  get items(): number {
    return this.headings ? Math.max(this.row - 1, 0) : this.row;
  }

  /** After the last record. @throws GroupwiseError `bad-file`, `bad-usage` */
  end(values: Growing, skip: number = 0): void {
    if (this.at === undefined) this.place([], values, skip);
  }

  private place(first: readonly string[], values: Growing, skip: number): void {
    this.at = this.placeIn(first);
    if (this.headings) return;
    for (; this.blanks > 0; this.blanks--) {
      this.row++;
      if (this.items > skip) values.push(this.absent());
    }
  }

  private placeIn(first: readonly string[]): number {
    const { name, column } = this.wanted;
    if (column === undefined) return first.includes(name) || first.length > 1 ? this.headed(name, first) : 0;
    const { heading, number } = askedOf(column);
    if (number === undefined) return this.headed(heading as string, first);
    if (heading === undefined || !first.includes(heading)) return this.numbered(number, first);
    if (number >= first.length) return this.headed(heading, first);
    if (mayBeHeadings(first)) throw this.unclear(first);
    return this.numbered(number, first);
  }

  private headed(heading: string, first: readonly string[]): number {
    const { wanted } = this;
    const { path } = this.of;
    this.headings = first
      .filter((one) => one !== "")
      .map((one) => (one.includes(",") ? JSON.stringify(one) : one));
    const at = first.indexOf(heading);
    if (at < 0) {
      const form = `${wanted.name}=${path}${path === STDIN ? ":csv" : ""}`;
      const others = `for another one write ${form}:HEADING, or ${form}:0 for the first column of a file without headings`;
      throw badUsage(
        `${path} has no column ${JSON.stringify(heading)}`,
        `${oneOf(heading, this.headings)}; ${others}`,
      );
    }
    if (first.lastIndexOf(heading) === at) return at;
    throw badUsage(
      `${path} has several columns ${JSON.stringify(heading)}`,
      `rename all but one of them in the first line; ${this.listed()}`,
    );
  }

  private numbered(at: number, first: readonly string[]): number {
    const width = first.length || at + 1;
    if (at >= width)
      throw badUsage(`${this.of.path} has no column ${at}`, `there are ${width}, counted from 0`);
    return at;
  }

  private unclear(first: readonly string[]): Error {
    const { path } = this.of;
    const { name, column } = this.wanted;
    return badUsage(
      `${path}: the first line, ${first.join(",").slice(0, 40)}, may be headings, as pandas writes them, or data`,
      `write '${name}=${path}:"${column}"' for the column with the heading ${column}, or '${name}=${path}:#${column}' for column ${column} of a file without headings`,
    );
  }

  private listed(): string {
    return `there are: ${this.headings?.join(", ")}`;
  }

  /** Record and column, for errors. */
  private get where(): string {
    const { row, at, headings, wanted } = this;
    const heading = wanted.column === undefined ? wanted.name : askedOf(wanted.column).heading;
    return `record ${row}, column ${headings ? JSON.stringify(heading) : at}`;
  }

  /** @throws GroupwiseError `bad-file` */
  private element(text: string): number | bigint {
    const value = parseElement(this.wanted.type, text);
    return value === undefined ? this.other(text.trim()) : this.toHost(value);
  }

  /** The element of a cell that holds no value. @throws GroupwiseError `bad-file` */
  private other(cell: string): number | bigint {
    if (cell === "") return this.absent();
    const { row, headings, wanted } = this;
    const { path } = this.of;
    const { name, type } = wanted;
    const hint = headings
      ? `the input ${name} takes ${type}: name a column of such values; ${this.listed()}`
      : row === 1
        ? `if the first line has headings, name the column by its heading: ${name}=${path}:HEADING`
        : undefined;
    const what = `${this.where}: ${JSON.stringify(cell.slice(0, 40))} is not a value of ${type}`;
    throw badFile(path, what, undefined, hint);
  }

  /** The element for an empty cell. @throws GroupwiseError `bad-file`, `bad-usage` */
  private absent(): number | bigint {
    const { path, absent } = this.of;
    return absentElement(this.wanted.type, absent, path, this.where);
  }
}
