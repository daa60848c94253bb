/** Buffers of one kind that are kept for their next use: devices take long to make some, and clear each new one. */

/** Bytes of the smallest buffer; others have a power of two. */
const LEAST = 256;

/** What a pool has. */
export interface Pooled {
  readonly label: string;
  readonly usage: number;
  /** Bytes that are kept at most. A longer buffer has exactly its bytes, and is never kept. */
  readonly most: number;
}

export class Pool {
  private readonly device: GPUDevice;
  private readonly kind: Pooled;
  private readonly free = new Map<number, GPUBuffer[]>();
  private bytes = 0;
  private isOpen = true;

  constructor(device: GPUDevice, kind: Pooled) {
    this.device = device;
    this.kind = kind;
  }

  /** A buffer of at least so many bytes, whose content is anything. */
  take(bytes: number): GPUBuffer {
    const { label, usage, most } = this.kind;
    const size = bytes > most ? bytes : 2 ** Math.ceil(Math.log2(Math.max(LEAST, bytes)));
    const kept = this.free.get(size)?.pop();
    if (kept) this.bytes -= size;
    return kept ?? this.device.createBuffer({ label, size, usage });
  }

  /** Takes back a buffer that only commands use which were submitted already. */
  give(buffer: GPUBuffer): void {
    const { size } = buffer;
    if (!this.isOpen || this.bytes + size > this.kind.most) {
      buffer.destroy();
      return;
    }
    this.bytes += size;
    const same = this.free.get(size) ?? [];
    this.free.set(size, same);
    same.push(buffer);
  }

  /** Frees the buffers that are kept. */
  clear(): void {
    for (const buffer of [...this.free.values()].flat()) buffer.destroy();
    this.free.clear();
    this.bytes = 0;
  }

  /** The same, and those that are given back later. */
  close(): void {
    this.isOpen = false;
    this.clear();
  }
}
