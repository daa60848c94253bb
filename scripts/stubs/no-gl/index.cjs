// gpu.js treats a throwing require("gl") as "no headless WebGL here".
throw new Error("headless gl is left out on purpose");
