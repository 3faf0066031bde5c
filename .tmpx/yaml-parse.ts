import { parseYaml } from "../src/core/yaml.js";
(globalThis as any).x = parseYaml(new TextEncoder().encode("schema_version: 1\nid: check-0\ntype: deterministic\ndescription: Trivial check 0\nscript: pass\n")).value;
