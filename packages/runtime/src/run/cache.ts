/** What a runtime compiled, by content: shared by its users, and kept for later ones. */
import type { RuntimeStats } from "../api/runtime.ts";

/** One user's reference to a shared object. */
export interface Lease<T> {
  readonly value: T;
  /** Releases the reference; later calls do nothing. */
  release(): void;
}

interface Entry<T> {
  readonly made: Promise<T>;
  users: number;
  /** Whether a user wants it kept. */
  keep: boolean;
}

/** Objects without users that are kept: a sort has six, and a program that uses all primitives fits. */
export const MOST_UNUSED = 128;

/** How a cache treats its objects. */
export interface CacheRules<T> {
  /** Frees an object that has no users and is not kept. */
  free(value: T): void;
  /** Called when an object without users is kept. */
  rest?(value: T): void;
}

/** Creates an object once for each key, also for concurrent requests; frees the objects that have had no user for the longest time. */
export class SharedCache<T> {
  /** Those without users are in the order in which they lost their last one. */
  private readonly entries = new Map<string, Entry<T>>();
  private readonly rules: CacheRules<T>;
  private most = MOST_UNUSED;
  /** Entries without users. */
  private unused = 0;
  private compiled = 0;
  private reused = 0;

  constructor(rules: CacheRules<T>) {
    this.rules = rules;
  }

  /** See `Runtime.stats`. */
  stats(): RuntimeStats {
    const { compiled, reused, entries, unused } = this;
    return { compiled, reused, inUse: entries.size - unused, kept: unused };
  }

  /** The object of a key, created if necessary; failures are not cached. @param keep whether it is kept after its last user */
  async acquire(key: string, make: () => Promise<T>, keep: boolean = true): Promise<Lease<T>> {
    const known = this.entries.get(key);
    if (known) this.reused++;
    if (known?.users === 0) this.unused--;
    const entry = known ?? this.add(key, make);
    entry.users++;
    entry.keep ||= keep;
    const value = await entry.made;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) entry.users--;
      if (isHeld && entry.users === 0) this.rest(key, entry, value);
      isHeld = false;
    };
    return { value, release };
  }

  /** Frees what has no users, and what loses its last user later. */
  close(): void {
    this.most = 0;
    this.trim();
  }

  private add(key: string, make: () => Promise<T>): Entry<T> {
    const entry: Entry<T> = { made: make(), users: 0, keep: false };
    this.entries.set(key, entry);
    entry.made.then(
      () => {
        this.compiled++;
      },
      () => this.entries.delete(key),
    );
    return entry;
  }

  private rest(key: string, entry: Entry<T>, value: T): void {
    this.entries.delete(key);
    if (!entry.keep || this.most === 0) {
      this.rules.free(value);
      return;
    }
    this.unused++;
    this.entries.set(key, entry);
    this.rules.rest?.(value);
    this.trim();
  }

  private trim(): void {
    if (this.unused <= this.most) return;
    const unused = [...this.entries].filter(([, { users }]) => users === 0);
    for (const [key, { made }] of unused.slice(0, this.unused - this.most)) {
      this.unused--;
      this.entries.delete(key);
      void made.then((value) => this.rules.free(value));
    }
  }
}
