import * as z from "zod";
(globalThis as any).x = z.string();
