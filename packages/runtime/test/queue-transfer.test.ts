/** Elements on their way to the host. */
import { expect, test } from "vitest";
import type { Driver } from "../src/queue/driver.ts";
import { startReading } from "../src/queue/transfer.ts";

test("a read of more bytes than the host has is an error with a code, and asks the device for nothing", () => {
  const driver = { read: () => expect.unreachable() } as unknown as Driver;
  const elements = { type: "f64", memory: "f64", bytesPerElement: 8 } as const;
  const span = { from: { buffer: 0, offset: 0 }, elements, count: 2 ** 48 };
  expect(() => startReading(driver, span as never)).toThrow(
    expect.objectContaining({ code: "device-error" }),
  );
});
