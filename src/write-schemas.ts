// Part of the build: writes the JSON Schemas into the directory given.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jsonSchemas } from "./schemas.js";

const directory = process.argv[2] ?? "dist/schema";
mkdirSync(directory, { recursive: true });
for (const [name, schema] of Object.entries(jsonSchemas())) {
  writeFileSync(join(directory, name), `${JSON.stringify(schema, null, 2)}\n`);
}
