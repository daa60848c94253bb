/** Columns of one table, which is parsed once for all of them. */
import { requireFile, STDIN } from "../../base/files.ts";
import { type CsvTable, columnOf, csvPieces } from "../../values/csv.ts";
import type { WantedColumn } from "../../values/csv-column.ts";
import { Growing } from "../../values/growing.ts";
import { endsBefore } from "./ends-before.ts";
import type { Source, SourceArrays, SourceReading } from "./source.ts";

/** The columns of a table. Only its end shows how many records it has. */
export class CsvSource implements Source {
  readonly isReadOnce: boolean;
  readonly length: undefined;
  private readonly table: CsvTable;
  private readonly wanted: WantedColumn[] = [];

  /** @throws GroupwiseError `missing-file` */
  constructor(table: CsvTable) {
    this.isReadOnce = table.path === STDIN;
    if (!this.isReadOnce) requireFile(table.path, table.cwd);
    this.table = table;
  }

  /** Adds a column, before anything is read. */
  add(wanted: WantedColumn): void {
    this.wanted.push(wanted);
  }

  get names(): readonly string[] {
    return this.wanted.map(({ name }) => name);
  }

  read(from: number): SourceReading {
    const { path } = this.table;
    const columns = this.wanted.map((wanted) => ({
      name: wanted.name,
      values: new Growing(wanted.type),
      reader: columnOf(this.table, wanted),
    }));
    const pieces = csvPieces(this.table, (record) => {
      for (const { reader, values } of columns) reader.read(record, values, from);
    });
    const lacks = (count: number): boolean => columns.some(({ values }) => values.count < count);
    let failure: { readonly error: unknown } | undefined;
    const parse = async (): Promise<boolean> => {
      try {
        const { done } = await pieces.next();
        if (!done) return true;
        for (const { reader, values } of columns) {
          reader.end(values, from);
          if (reader.items < from) throw endsBefore(path, reader.items, from);
        }
        return false;
      } catch (error) {
        failure = { error };
        return false;
      }
    };
    const next = async (count: number): Promise<SourceArrays> => {
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
