// Runs before the tests of each file outside of full runs, and skips those of the table with the reason.
import { beforeEach } from "vitest";
import { FULL_ONLY, whyLater } from "./full-only.mjs";

const fullName = (task) => (task.suite?.name ? `${fullName(task.suite)} ${task.name}` : task.name);

if (FULL_ONLY.length > 0)
  beforeEach((context) => {
    const { task } = context;
    const why = whyLater(task.file.filepath.replaceAll("\\", "/"), fullName(task));
    if (why) context.skip(why);
  });
