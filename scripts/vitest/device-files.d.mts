/** Test files of a package relative to it: those that open devices, those that need a process to themselves, and the others. */
export declare function testFilesOf(directory: string): {
  readonly pure: string[];
  readonly devices: string[];
  readonly alone: string[];
};
