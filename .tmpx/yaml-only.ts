import { Composer, LineCounter, Lexer, Parser } from "yaml";
(globalThis as any).x = [Composer, LineCounter, Lexer, Parser];
