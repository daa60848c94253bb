/** Test files to run: those that have not passed with the current state of their dependencies. */
export function withoutUnchanged(root: string, tests: readonly string[]): string[];
