/** Elements on their way from device memory to the host. */
import { arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import { hostZeros } from "../run/host-array.ts";
import type { Layout } from "../run/layout.ts";
import type { Driver, Range } from "./driver.ts";
import type { Pool } from "./pool.ts";

/** Elements that are read. */
export interface ArrayReading {
  /**
   * The host's array, once the queue is done. Called once.
   * @param valid elements, if only so many have values: of an array that is read only now no others are read
   */
  values(valid?: number): HostArray;
}

type Elements = Pick<Layout, "type" | "memory" | "bytesPerElement">;

/** Elements from the first byte of a range on. */
interface Span {
  readonly from: Range;
  readonly elements: Elements;
  readonly count: number;
}

/** Bytes of the longest result that is copied aside. */
const SHORT = 2 ** 20;

/** Whether that many bytes are copied aside. */
export const isShort = (bytes: number): boolean => bytes <= SHORT;

/** Requests a range's elements in the queue. */
export function startReading(driver: Driver, span: Span): ArrayReading {
  // The memory does not move, and is held until the elements are written.
  const bytes = memoryFor(span);
  if (bytes.byteLength > 0) driver.read(span.from, bytes);
  return { values: () => hostArray(span.elements, bytes) };
}

/** Reads a range that nothing changes until `values` is called. */
export function readLater(driver: Driver, span: Span): ArrayReading {
  if (!driver.readsApart) return startReading(driver, span);
  const values = (valid = span.count): HostArray => {
    const bytes = memoryFor({ ...span, count: Math.min(valid, span.count) });
    if (bytes.byteLength > 0) driver.readApart(span.from, bytes);
    return hostArray(span.elements, bytes);
  };
  return { values };
}

/** Reads the elements that a range has now; later commands may change them. @param pool retains the copy */
export function readAside(driver: Driver, pool: Pool, span: Span): ArrayReading {
  const { from, elements, count } = span;
  const bytes = count * elements.bytesPerElement;
  // There are no empty buffers.
  if (!driver.readsApart || bytes === 0) return startReading(driver, span);
  const copy = pool.add(driver.allocate(bytes, null), (memory) => driver.release(memory));
  driver.copy(from, { buffer: copy, offset: 0 }, bytes);
  return readLater(driver, { from: { buffer: copy, offset: 0 }, elements, count });
}

/** @throws GroupwiseError `device-error` where the host has no memory for it */
const memoryFor = ({ count, elements }: Span): ArrayBuffer =>
  hostZeros("u8", count * elements.bytesPerElement, "the host").buffer as ArrayBuffer;

function hostArray({ type, memory }: Elements, bytes: ArrayBuffer): HostArray {
  const array = arraySpec(type).array as unknown as new (memory: ArrayBuffer) => HostArray;
  return type === "bool" && memory === "u32" ? new Uint8Array(new Uint32Array(bytes)) : new array(bytes);
}
