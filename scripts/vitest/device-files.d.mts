/** Test files: those that open devices, those that need a separate process, and the others; relative to the root. */
export declare function testFilesOf(root: string): {
  readonly pure: string[];
  readonly devices: string[];
  readonly alone: string[];
};
