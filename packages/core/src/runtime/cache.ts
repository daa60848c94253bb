/** Things that several users share and the last one frees. */

/** One user's hold on a shared thing. */
export interface Lease<T> {
  readonly value: T;
  /** Lets go; again, it does nothing. */
  release(): void;
}

interface Entry<T> {
  readonly made: Promise<T>;
  users: number;
}

/** Makes a thing once for each key, also when asked twice at a time, and frees it after its last user. */
export class SharedCache<T> {
  private readonly entries = new Map<string, Entry<T>>();
  private readonly free: (value: T) => void;

  constructor(free: (value: T) => void) {
    this.free = free;
  }

  /** Keys of things that someone uses, or waits for. */
  get size(): number {
    return this.entries.size;
  }

  /** The thing of a key, made where there is none; what fails is not kept. */
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
