// Runs before the tests of each file: another thread observes the process, which keeps it for all files.
import { afterEach, expect } from "vitest";
import { observe } from "./hanging.mjs";

const KEY = Symbol.for("groupwise.hanging");
globalThis[KEY] ??= observe();
globalThis[KEY](expect.getState().testPath);

// Tests that await nothing but promises leave the event loop no turn, so that a file of many would look like one that hangs.
const { setImmediate } = globalThis;
afterEach(() => new Promise((resolve) => void setImmediate(resolve)));
