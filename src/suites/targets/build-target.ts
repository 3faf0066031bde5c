import {
  buildAgent,
  buildCommand,
  buildHttp,
  buildModel,
  buildModule,
  buildReplay,
  type TargetParts,
} from "./build-parts.js";
import { buildTeam } from "./build-team.js";
import type { Builder } from "./load-target.js";
import type { TargetFile } from "./schema.js";

/** What is called, from what is written; undefined when something that it needs is missing, which was told then. */
export function buildTarget(written: TargetFile, builder: Builder): TargetParts | undefined {
  switch (written.type) {
    case "command":
      return buildCommand(written, builder, ["command"]);
    case "http":
      return buildHttp(written, builder);
    case "module":
      return buildModule(written, builder);
    case "agent":
      return buildAgent(written, builder, []);
    case "model":
      return buildModel(written, builder, []);
    case "team":
      return buildTeam(written, builder);
    case "replay":
      return buildReplay(written, builder);
  }
}
