import * as z from "zod";
import { checkSchema } from "../src/checks/schema.js";
z.config({jitless:true});
(globalThis as any).x = checkSchema.safeParse({schema_version:1,id:"a",type:"deterministic",description:"x",script:"pass"});
