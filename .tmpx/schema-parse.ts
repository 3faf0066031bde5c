import { checkSchema } from "../src/checks/schema.js";
(globalThis as any).x = checkSchema.safeParse({schema_version:1,id:"a",type:"deterministic",description:"x",script:"pass"});
