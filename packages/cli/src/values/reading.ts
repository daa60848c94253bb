/** How the files of a command are read. */
export interface Reading {
  readonly cwd: string;
  /** The value of `--null`, which is read in place of a value that is absent. */
  readonly null?: string | undefined;
  /** The value of `--raw`: a type after a name means raw elements, whatever the extension. */
  readonly raw?: boolean | undefined;
}
