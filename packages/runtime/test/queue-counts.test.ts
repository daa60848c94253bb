/** When numbers of items are read, on a queue that does nothing before the host waits for it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { countsOf } from "../src/queue/counts.ts";
import type { Driver, Marker, Range } from "../src/queue/driver.ts";
import { Line } from "../src/queue/line.ts";
import type { Session } from "../src/queue/program.ts";
import { CountWords } from "../src/queue/words.ts";

const BUFFERS = 3;
const WORDS = 4;

/** A step: which word is its number of items, and which buffers it writes; each word of these gets another number. */
interface Step {
  readonly count?: { readonly buffer: number; readonly word: number };
  readonly writes: readonly number[];
}

/** A device with buffers of words, whose commands run in order when `run` is called. */
function deviceOf(readsApart: boolean) {
  const memory = new Map<bigint, Uint32Array>();
  const queue: (() => void)[] = [];
  const run = (): void => {
    for (const act of queue.splice(0)) act();
  };
  const word = ({ buffer, offset }: Range): Uint32Array =>
    memory.get(buffer)?.subarray(offset / 4, offset / 4 + 1) as Uint32Array;
  const into = (to: Uint32Array, { buffer, offset }: Range): void =>
    to.set(memory.get(buffer)?.subarray(offset / 4, offset / 4 + to.length) as Uint32Array);
  let [live, made] = [0, 100n];
  const marker = (): Marker => {
    let isEnded = false;
    queue.push(() => {
      isEnded = true;
    });
    live++;
    return { isEnded: () => isEnded, check: () => {}, release: () => void live-- };
  };
  const driver = {
    where: "",
    for: () => driver,
    readsApart,
    allocate: (bytes: number) => {
      memory.set(++made, new Uint32Array(bytes / 4));
      return made;
    },
    release: (handle: bigint) => void memory.delete(handle),
    copy: (from: Range, to: Range) => void queue.push(() => into(word(to), from)),
    read: (from: Range, to: Uint32Array) => void queue.push(() => into(to, from)),
    readApart: (from: Range, to: Uint32Array) => into(to, from),
    mark: marker,
    flush: () => {},
    now: () => 0,
    letOthersRun: run,
  } as unknown as Driver;
  const buffers = Array.from({ length: BUFFERS }, (_, i) => {
    memory.set(BigInt(i), new Uint32Array(WORDS).fill(7));
    return { range: (offset: number): Range => ({ buffer: BigInt(i), offset }) };
  });
  return { driver, memory, queue, buffers, live: () => live };
}

const word = fc.record({ buffer: fc.nat(BUFFERS - 1), word: fc.nat(WORDS - 1) });
const step: fc.Arbitrary<Step> = fc.record({
  count: fc.option(word, { nil: undefined }),
  writes: fc.uniqueArray(fc.nat(BUFFERS - 1), { maxLength: 2 }),
}) as never;

test.each([
  ["through the queue", false],
  ["from copies", true],
])("each step has the number that the steps before it left, read %s", (_, readsApart) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const { driver, memory, queue, buffers, live } = deviceOf(readsApart);
      const line = new Line(false);
      const kept = new CountWords(driver);
      const session = { driver, line, counts: kept } as unknown as Session;
      const counted = steps.map(({ count, writes }) => ({
        ...(count && {
          count: { array: { buffer: buffers[count.buffer], byteOffset: 4 }, at: count.word - 1, max: 0 },
        }),
        written: writes.map((buffer) => ({ buffer: buffers[buffer] })),
      }));
      const model = buffers.map(() => new Array<number>(WORDS).fill(7));
      const counts = countsOf(session, counted as never);
      expect(counts === undefined).toBe(steps.every(({ count }) => count === undefined));
      steps.forEach(({ count, writes }, i) => {
        if (count) {
          expect(counts?.wait(i, 1)).toBeUndefined();
          expect(counts?.items(i)).toBe(model[count.buffer]?.[count.word]);
        }
        for (const buffer of writes) {
          queue.push(() => memory.get(BigInt(buffer))?.fill(i));
          model[buffer]?.fill(i);
        }
        counts?.readAfter(i);
      });
      kept.release();
      expect([live(), memory.size]).toEqual([0, BUFFERS]);
    }),
    { numRuns: 300 },
  );
});
