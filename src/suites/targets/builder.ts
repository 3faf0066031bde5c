import type { AgentTemplate } from "../../agents/templates.js";
import type { ModelTable } from "../../config/model-table.js";
import type { Places } from "../find-beside.js";
import type { Beginning } from "./followed-files.js";
import type { Instructions } from "./written-fields.js";

/** What a target is made with. */
export interface Builder {
  /** The target file. */
  path: string;
  /** Where the paths in it lead from. */
  places: Places;
  agents: Record<string, AgentTemplate>;
  models: Record<string, ModelTable>;
  problem: (field: Path, message: string) => void;
  warn: (field: Path, message: string) => void;
  /** The path of a file that is named at `field`; undefined: a problem was told. */
  find: (written: string, field: Path) => string | undefined;
  /** The same with its content, which is noted for the digest. */
  read: (written: string, field: Path) => { path: string; bytes: Buffer } | undefined;
  /** Notes a file for the digest: its name as written, and the hash of its content or the content. */
  note: (written: string, content: Uint8Array | string) => void;
  /**
   * Notes the files that a program is made of, as far as its text tells, but not where the target says which ones count;
   * and the variables that it names. Returns whether there are such files.
   */
  follow: (program: Beginning) => boolean;
}

/** Where something stands in a target file. */
export type Path = readonly PropertyKey[];

/** The text of instructions, or that of the file that they name. */
export function readInstructions(written: Instructions, builder: Builder, field: Path): string | undefined {
  if (written === undefined || typeof written === "string") return written;
  return builder
    .read(written.file, [...field, "instructions", "file"])
    ?.bytes.toString("utf8")
    .trim();
}
