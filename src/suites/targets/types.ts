import * as z from "zod";
import type { WrittenWorkspace } from "../format/workspace-schema.js";
import type { Session } from "../session.js";
import { agent } from "./agent/agent-target.js";
import type { Call } from "./call.js";
import { callSafely } from "./call-safely.js";
import { command } from "./command/command-target.js";
import type { FunctionTarget } from "./function/call-function.js";
import { functionType } from "./function/function-target.js";
import { http } from "./http/http-target.js";
import { model } from "./model/model-target.js";
import { module } from "./module/module-target.js";
import { replay } from "./replay/replay-target.js";
import type { CallableType, TargetType } from "./target-type.js";
import { team } from "./team/team-target.js";
import type { WrittenCache } from "./written-fields.js";

/** The types of targets, by the name that a target file gives as its `type`. */
const types = { command, http, module, agent, team, model, replay };

type Types = typeof types;
type TypeName = keyof Types;

/** A target that can be written. */
type FileTarget = { [N in TypeName]: Types[N] extends TargetType<infer _, infer T> ? T : never }[TypeName];

/** The thing under test, as it is called. */
export type Target = FileTarget | FunctionTarget;

/** The fields of a target of any type, as a program may give them. */
export type TargetFields = {
  [N in TypeName]: Types[N] extends TargetType<infer _, infer __, infer Input> ? Input : never;
}[TypeName];

/** A target file, as it is written. */
export type WrittenTarget = {
  name?: string | undefined;
  workspace?: WrittenWorkspace | undefined;
  cache?: WrittenCache | undefined;
};

export const typeNames = Object.keys(types) as TypeName[];

/** What is to be known of a type of target; undefined: there is no such type. */
export function typeNamed(name: unknown): TargetType<WrittenTarget, FileTarget> | undefined {
  return typeNames.includes(name as TypeName) ? types[name as TypeName] : undefined;
}

/** What is to be known of the type of a target. */
export function typeOf({ type }: Target): CallableType<Target> {
  return type === "function" ? functionType : types[type];
}

/** Whether all files of the project count for what a target hands back. */
export function usesProject(target: Target, options: { hasWorkspace: boolean }): boolean {
  return (target.cache ?? true) === true && (typeOf(target).usesProject?.(target, options) ?? false);
}

/** Calls a target once. @throws the file system's error when nothing can be written any more */
export function callTarget(target: Target, call: Call): Promise<Session> {
  return callSafely(typeOf(target), target, call);
}

/** A target file of any type, for editors. */
export function targetFileSchema(): z.ZodType {
  const { command, ...others } = types;
  return z.discriminatedUnion("type", [command.schema, ...Object.values(others).map(({ schema }) => schema)]);
}
