import * as z from "zod/mini";
import { checkTypeSchemas } from "./schema.js";

/** A check file, as it is written. */
export const checkSchema = z.discriminatedUnion("type", [
  checkTypeSchemas.deterministic(),
  checkTypeSchemas.harness_judge(),
]);
