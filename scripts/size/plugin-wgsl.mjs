export { default } from "./walk.mjs?groupwise";
