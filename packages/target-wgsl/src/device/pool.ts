/** A pool of buffers of one kind: some buffers take long to create, and devices clear each new one. */

/** Bytes of the smallest buffer; others have a power of two. */
const LEAST = 256;

/** The free buffers of a pool. */
export interface Pooled {
  readonly label: string;
  readonly usage: number;
  /** Maximum number of bytes of free buffers. A longer buffer has exactly the requested size, and is never reused. */
  readonly most: number;
}

export class BufferPool {
  private readonly device: GPUDevice;
  private readonly kind: Pooled;
  private readonly free = new Map<number, GPUBuffer[]>();
  private bytes = 0;
  private isOpen = true;

  constructor(device: GPUDevice, kind: Pooled) {
    this.device = device;
    this.kind = kind;
  }

  /** A buffer of at least that many bytes, with arbitrary contents. */
  take(bytes: number): GPUBuffer {
    const { label, usage, most } = this.kind;
    const size = bytes > most ? bytes : 2 ** Math.ceil(Math.log2(Math.max(LEAST, bytes)));
    const kept = this.free.get(size)?.pop();
    if (kept) this.bytes -= size;
    return kept ?? this.device.createBuffer({ label, size, usage });
  }

  /** Returns a buffer to the pool; only commands that were already submitted may use it. False: it is destroyed. */
  give(buffer: GPUBuffer): boolean {
    const { size } = buffer;
    if (!this.isOpen || this.bytes + size > this.kind.most) {
      buffer.destroy();
      return false;
    }
    this.bytes += size;
    const same = this.free.get(size) ?? [];
    this.free.set(size, same);
    same.push(buffer);
    return true;
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
