import type { Pattern } from "../../core/test-pattern.js";
import type { ModelSettings } from "../../models/settings.js";
import type { Harness } from "../../run/harness.js";
import type { Json } from "../json.js";
import type { WorkspaceLayer } from "../workspace.js";
import type { Recordings } from "./recordings.js";

/** The thing under test, as it is called. Paths are absolute. */
export type Target = CommandTarget | HttpTarget | ModuleTarget | AgentTarget | TeamTarget | ModelTarget | ReplayTarget;

/** What targets of all types have. */
export interface TargetBase {
  /** For people; by default the name of the file without its ending. */
  name: string;
  /** The target file. */
  path: string;
  /** `sha256:<hex>` over the file, the files that it names, and what the configuration says of its agents and models. */
  digest: string;
  /** What the suite and the case say of it wins. */
  workspace?: WorkspaceLayer | undefined;
}

export interface CommandTarget extends TargetBase {
  type: "command";
  /** With `{task}`, `{case_id}`, `{config}` and `{project_root}`. */
  command: readonly [string, ...string[]];
  input: "stdin" | "arg" | "json-stdin";
  /** As written: `{env:NAME}` is not replaced. */
  env: Readonly<Record<string, string>>;
  /** Relative to the working directory of the call. */
  cwd: string;
  output: "text" | "json";
  /** Stands before the input. */
  instructions?: string | undefined;
}

export interface HttpTarget extends TargetBase {
  type: "http";
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  /** With `{input}`, `{task}` and `{case_id}`; undefined: no body. */
  body: Json | undefined;
  /** A JSON pointer to the output; undefined: the answer as a whole. */
  output?: string | undefined;
}

export interface ModuleTarget extends TargetBase {
  type: "module";
  module: string;
  export: string;
}

export interface AgentTarget extends TargetBase {
  type: "agent";
  agent: Harness;
  model?: string | undefined;
  effort?: string | undefined;
  instructions?: string | undefined;
}

export interface ModelTarget extends TargetBase {
  type: "model";
  settings: ModelSettings;
  /** The system message. */
  instructions?: string | undefined;
}

export interface TeamTarget extends TargetBase {
  type: "team";
  members: readonly Member[];
  strategy: "sequential" | "round_robin";
  maxTurns: number;
  stop: Stop;
}

/** One of a team: what is called for it, under its name. */
export type Member = AgentTarget | CommandTarget | ModelTarget;

/** When a team is done: a message of one of `agents`, or of anyone where none are named, holds one of these. */
export interface Stop {
  keyword?: string | undefined;
  regex?: Pattern | undefined;
  agents: readonly string[];
}

export interface ReplayTarget extends TargetBase {
  type: "replay";
  recordings: Recordings;
}
