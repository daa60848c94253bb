/** Columns of an Arrow file, which are read at any position. */
import { type ArrowColumn, ArrowFile, type ArrowReader } from "../../values/arrow-file.ts";
import type { Reading as How } from "../../values/reading.ts";
import type { Source, SourceReading } from "./source.ts";

/** The columns of a file. */
export class ArrowSource implements Source {
  readonly isReadOnce = false;
  readonly length: number;
  private readonly file: ArrowFile;
  private readonly columns = new Map<string, ArrowReader>();

  private constructor(file: ArrowFile) {
    this.file = file;
    this.length = file.length;
  }

  /** @throws GroupwiseError as `ArrowFile.open` */
  static async open(path: string, how: How): Promise<ArrowSource> {
    return new ArrowSource(await ArrowFile.open(path, how));
  }

  /** Adds a column. @throws GroupwiseError `bad-file`, `bad-usage` */
  add(wanted: ArrowColumn): void {
    this.columns.set(wanted.name, this.file.column(wanted));
  }

  get names(): readonly string[] {
    return [...this.columns.keys()];
  }

  read(from: number, to: number = this.length): SourceReading {
    let at = from;
    let open: Promise<unknown> = Promise.resolve();
    return {
      next: (count) => {
        const end = Math.max(at, Math.min(at + count, to));
        const parts = [...this.columns].map(async ([name, column]) => [name, await column.read(at, end)]);
        at = end;
        const read = Promise.all(parts).then(Object.fromEntries);
        open = read.catch(() => {});
        return read;
      },
      close: async () => void (await open),
    };
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
