// Runs before the tests of each file: another thread observes the process, which keeps it for all files.
import { expect } from "vitest";
import { observe } from "./hanging.mjs";

const KEY = Symbol.for("groupwise.hanging");
globalThis[KEY] ??= observe();
globalThis[KEY](expect.getState().testPath);
