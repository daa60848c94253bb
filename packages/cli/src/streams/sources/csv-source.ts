/** Columns of one .csv or .tsv file, which is parsed once for all of them. */
import type { ArrayType } from "@groupwise/core";
import { requireFile } from "../../base/files.ts";
import { Column, csvPieces } from "../../values/csv.ts";
import { Growing } from "../../values/growing.ts";
import { endsBefore } from "./ends-before.ts";
import type { Arrays, Reading, Source } from "./source.ts";

interface Wanted {
  readonly name: string;
  readonly type: ArrayType;
  readonly column: string | undefined;
}

/** The columns of a file. Only its end shows how many records it has. */
export class CsvSource implements Source {
  readonly isReadOnce = false;
  readonly length: undefined;
  private readonly path: string;
  private readonly cwd: string;
  private readonly wanted: Wanted[] = [];

  /** @throws GroupwiseError `missing-file` */
  constructor(path: string, cwd: string) {
    requireFile(path, cwd);
    this.path = path;
    this.cwd = cwd;
  }

  /** Adds a column, before anything is read. @param column as for `readCsv` */
  add(name: string, type: ArrayType, column: string | undefined): void {
    this.wanted.push({ name, type, column });
  }

  get names(): readonly string[] {
    return this.wanted.map(({ name }) => name);
  }

  read(from: number): Reading {
    const columns = this.wanted.map(({ name, type, column }) => ({
      name,
      values: new Growing(type),
      reader: new Column(this.path, type, column),
    }));
    const pieces = csvPieces(this.path, this.cwd, (record) => {
      for (const { reader, values } of columns) reader.read(record, values, from);
    });
    const lacks = (count: number): boolean => columns.some(({ values }) => values.count < count);
    let failure: { readonly error: unknown } | undefined;
    const parse = async (): Promise<boolean> => {
      try {
        const { done } = await pieces.next();
        if (!done) return true;
        for (const { reader } of columns) {
          reader.end();
          if (reader.items < from) throw endsBefore(this.path, reader.items, from);
        }
        return false;
      } catch (error) {
        failure = { error };
        return false;
      }
    };
    const next = async (count: number): Promise<Arrays> => {
      if (lacks(count)) for (const { values } of columns) values.compact();
      while (lacks(count) && !failure && (await parse()));
      // Chunks before the record with the error come first.
      if (failure && lacks(count)) throw failure.error;
      return Object.fromEntries(columns.map(({ name, values }) => [name, values.take(count)]));
    };
    return { next, close: async () => void (await pieces.return()) };
  }

  async close(): Promise<void> {}
}
