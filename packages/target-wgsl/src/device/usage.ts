/** GPUBufferUsage and GPUMapMode as numbers, because Node does not have these globals. */
export const USAGE = {
  MAP_READ: 0x0001,
  COPY_SRC: 0x0004,
  COPY_DST: 0x0008,
  UNIFORM: 0x0040,
  STORAGE: 0x0080,
  INDIRECT: 0x0100,
  QUERY_RESOLVE: 0x0200,
} as const;
export const MAP_READ = 1;
/** GPUShaderStage.COMPUTE */
export const COMPUTE = 4;

const NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(USAGE).map(([name, bit]) => [bit, name]),
);

/** The first of the bits that a usage lacks, by name. */
export function lacking(usage: number, ...bits: readonly number[]): string | undefined {
  const bit = bits.find((wanted) => (usage & wanted) === 0);
  return bit === undefined ? undefined : NAMES[bit];
}
