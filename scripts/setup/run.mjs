import { spawn } from "node:child_process";

/**
 * Runs a command, collects its output, and reports every `beat` seconds that it is still running.
 * @returns {Promise<{ code: number, log: string }>}
 */
export function run(command, args, { env = {}, say = () => {}, label = command, beat = 15 } = {}) {
  return new Promise((resolve) => {
    const start = Date.now();
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let log = "";
    const keep = (chunk) => {
      log = (log + chunk).slice(-200_000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const timer = setInterval(
      () => say(`  ${label}: ${Math.round((Date.now() - start) / 1000)} s`),
      beat * 1000,
    );
    const end = (code, extra = "") => {
      clearInterval(timer);
      resolve({ code, log: log + extra });
    };
    child.on("error", (error) => end(127, String(error)));
    child.on("close", (code) => end(code ?? 1));
  });
}

/** The lines of a log that contain errors, or its last ones. */
export function reason(log) {
  const lines = log.split("\n").filter((line) => line.trim());
  const errors = lines.filter((line) => /^(E:|Err:|dpkg: error|W: Failed)|\berror:/i.test(line));
  return (errors.length > 0 ? errors : lines).slice(-6);
}
