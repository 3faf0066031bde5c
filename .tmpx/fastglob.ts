import glob from "fast-glob";
(globalThis as any).x = glob;
