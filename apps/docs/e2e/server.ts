/** Serves the built site as a host of static files does: `/start` is `start.html`. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

/** The folder of the built site. */
export const DIST: string =
  process.env.GROUPWISE_SITE ?? fileURLToPath(new URL("../.vitepress/dist", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

export interface Site {
  readonly origin: string;
  /** Paths that were asked for since the last call, and the bytes of their compressed bodies. */
  taken(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function serveSite(directory: string): Promise<Site> {
  const root = resolve(directory);
  const compressed = new Map<string, Buffer>(); // half a second for a large script
  let sizes = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const name = path.endsWith("/") ? `${path}index.html` : extname(path) ? path : `${path}.html`;
    const file = resolve(join(root, name));
    const body = file.startsWith(root + sep) ? await readFile(file).catch(() => undefined) : undefined;
    const packed = compressed.get(file) ?? brotliCompressSync(body ?? "");
    compressed.set(file, packed);
    sizes.set(path, packed.length);
    response.writeHead(body ? 200 : 404, {
      "content-type": TYPES[extname(name)] ?? "application/octet-stream",
      "content-encoding": "br",
    });
    response.end(packed);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    taken() {
      const taken = sizes;
      sizes = new Map();
      return taken;
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
