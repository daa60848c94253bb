/** The parts that cannot be carried over, in one line. */
interface Part {
  readonly where: string;
  readonly reason: string;
}
/** The most parts that an error names. */
const NAMED = 10;

/** `node "a" (Conv): the operator is not covered; …`: the first ten, and the number of the others. */
export function listOf(parts: readonly Part[]): string {
  const named = parts.slice(0, NAMED).map(({ where, reason }) => `${where}: ${reason}`);
  const rest = parts.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ");
}
