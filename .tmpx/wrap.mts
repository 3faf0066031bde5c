import { useCodeCache } from "../src/cli/code-cache.js";
useCodeCache("u");
// @ts-ignore
void import("./x.cjs");
