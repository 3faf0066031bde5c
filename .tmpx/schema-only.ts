import { checkSchema } from "../src/checks/schema.js";
(globalThis as any).x = checkSchema;
