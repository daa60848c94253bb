/**
 * Test files to run: those that have not passed with the current state of their dependencies.
 * @param how `leave`; `note` if all are to run, so that a later run can leave out those that pass now
 */
export function withoutUnchanged(root: string, tests: readonly string[], how?: string): string[];
