/** Runs before each test file where GROUPWISE_FAULT names a fault, and inserts it once into the process. */
import { FAULTS } from "./table.ts";

const id = process.env.GROUPWISE_FAULT;
const inserted = globalThis as { groupwiseFault?: string | undefined };
if (inserted.groupwiseFault !== id) {
  const fault = FAULTS.find((row) => row.id === id);
  if (fault === undefined) throw new Error(`unknown fault: ${id}`);
  inserted.groupwiseFault = id;
  await fault.break();
}
