/** Reference-counted shared objects. */

/** One user's reference to a shared object. */
export interface Lease<T> {
  readonly value: T;
  /** Releases the reference; later calls do nothing. */
  release(): void;
}

interface Entry<T> {
  readonly made: Promise<T>;
  users: number;
}

/** Creates an object once for each key, also for concurrent requests, and frees it after its last user. */
export class SharedCache<T> {
  private readonly entries = new Map<string, Entry<T>>();
  private readonly free: (value: T) => void;

  constructor(free: (value: T) => void) {
    this.free = free;
  }

  /** The objects that are in use or being created, by key. */
  get size(): number {
    return this.entries.size;
  }

  /** The object of a key, created if necessary; failures are not cached. */
  async acquire(key: string, make: () => Promise<T>): Promise<Lease<T>> {
    const entry = this.entries.get(key) ?? this.add(key, make);
    entry.users++;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      entry.users--;
      if (entry.users > 0) return;
      if (this.entries.get(key) === entry) this.entries.delete(key);
      entry.made.then(this.free, () => {});
    };
    try {
      return { value: await entry.made, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  private add(key: string, make: () => Promise<T>): Entry<T> {
    const entry: Entry<T> = { made: make(), users: 0 };
    this.entries.set(key, entry);
    return entry;
  }
}
