export { load } from "@groupwise/target-js/runtime";
