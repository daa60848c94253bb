// Processor time of each test file, with its threads and the programs that it waited for.
import { afterAll } from "vitest";
import { processorSeconds } from "../processor-time.mjs";

export function measureFile() {
  const before = processorSeconds();
  // biome-ignore lint/correctness/noEmptyPattern: Vitest requires that the first parameter is destructured
  afterAll(({}, { file }) => {
    if (before !== undefined) file.meta.processorSeconds = processorSeconds() - before;
  });
}
