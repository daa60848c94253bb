// Runs before the tests of each file. It imports modules of Node, which a process loads once: Vitest would load each of them again for each file.
import "./equal.mjs";
import { observeFile } from "./observed.mjs";
import { measureFile } from "./processor.mjs";
import "./seed.mjs";

observeFile();
measureFile();
