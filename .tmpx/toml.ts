import glob from "@iarna/toml";
(globalThis as any).x = glob;
