import groupwise from "@groupwise/unplugin/vite";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [groupwise()] });
