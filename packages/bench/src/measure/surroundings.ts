/** The machine of a result, without which its numbers have no meaning. */
import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";

export interface MeasuredOn {
  /** UTC. */
  readonly date: string;
  /** GROUPWISE_COMMIT if the packages run outside their repository. */
  readonly commit: string;
  readonly node: string;
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
}

function git(...args: string[]): string {
  try {
    const cwd = new URL(".", import.meta.url);
    return execFileSync("git", args, { encoding: "utf8", cwd, stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}

export function surroundings(): MeasuredOn {
  const commit = process.env.GROUPWISE_COMMIT || git("rev-parse", "HEAD") || "unknown";
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 19).replace("T", " "),
    commit:
      !process.env.GROUPWISE_COMMIT && git("status", "--porcelain", "--untracked-files=no")
        ? `${commit} with changes`
        : commit,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpu?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}

/** The machine in a line. */
export const place = (s: MeasuredOn): string =>
  `${s.date}; commit ${s.commit}; Node ${s.node}; ${s.platform}; ${s.cores} × ${s.cpu}; ${s.memoryGiB} GiB`;
