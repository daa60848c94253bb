/** Test files to run: those that did not pass with all that they depend on as it is. */
export function withoutUnchanged(root: string, tests: readonly string[]): string[];
