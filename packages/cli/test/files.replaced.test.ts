/** Written files are whole, and what lies beside them is left alone. */
import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { writeFiles } from "../src/base/files.ts";
import { folder, listed } from "./support.ts";

const names = vi.hoisted((): { next: string[] } => ({ next: [] }));
vi.mock("node:crypto", () => ({ randomUUID: () => names.next.shift() ?? "free" }));

test("a symbolic link with the name of a temporary file is not followed", () => {
  const cwd = folder({ victim: "precious" });
  for (const name of ["guessed", String(process.pid)]) symlinkSync("victim", join(cwd, `.a.txt.${name}.tmp`));
  names.next = ["guessed"];
  expect(() => writeFiles(".", [{ path: "a.txt", data: "new" }], cwd)).toThrow(/of that name exists/);
  expect(readFileSync(join(cwd, "victim"), "utf8")).toBe("precious");
  expect(lstatSync(join(cwd, ".a.txt.guessed.tmp")).isSymbolicLink()).toBe(true);
  expect(writeFiles(".", [{ path: "a.txt", data: "new" }], cwd)).toEqual(["a.txt"]);
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("new");
  expect(readFileSync(join(cwd, "victim"), "utf8")).toBe("precious");
});

test("if one of several files cannot be written, none is, and no temporary file remains", () => {
  const cwd = folder({ "a.txt": "old" });
  names.next = ["1", "2"];
  symlinkSync("nowhere", join(cwd, ".b.txt.2.tmp"));
  const files = [
    { path: "a.txt", data: "new" },
    { path: "b.txt", data: "new" },
  ];
  expect(() => writeFiles(".", files, cwd)).toThrow(/of that name exists/);
  expect(listed(cwd)).toEqual([".b.txt.2.tmp", "a.txt"]);
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("old");
  expect(existsSync(join(cwd, "nowhere"))).toBe(false);
});

test("new folders of files that were not written are removed, others are kept", () => {
  const cwd = folder();
  writeFileSync(join(cwd, "file"), "");
  expect(() => writeFiles("file/below", [{ path: "a", data: "" }], cwd)).toThrow(/cannot write there/);
  names.next = ["1"];
  const late = {
    path: "a",
    get data(): string {
      throw new Error("late");
    },
  };
  expect(() => writeFiles("x/y", [late], cwd)).toThrow(/late/);
  expect(listed(cwd)).toEqual(["file"]);
});
