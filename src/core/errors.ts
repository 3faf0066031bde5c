import { oneLine, shortPath } from "./text.js";

/** One thing that is wrong, with its place where there is one. Lines and columns count from 1. */
export interface Problem {
  /** What is wrong and what was expected. */
  message: string;
  file?: string;
  line?: number;
  column?: number;
  /** Dotted path of the field, as a user would write it. */
  field?: string;
  hint?: string;
}

/** Orders problems by file, then by line and column. */
export function byPlace(a: Problem, b: Problem): number {
  if (a.file !== b.file) return (a.file ?? "") < (b.file ?? "") ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

/** `file:line:column: field: message`, on one line. */
export function describeProblem(problem: Problem): string {
  const place = [problem.file && shortPath(problem.file), problem.line, problem.column].filter(
    (part) => part !== undefined,
  );
  return oneLine([place.join(":"), problem.field, problem.message].filter((part) => part).join(": "));
}

export type ErrorCode =
  | "usage"
  | "config"
  | "invalid_checks"
  | "no_checks"
  | "invalid_suite"
  | "no_cases"
  | "harness"
  | "changed"
  | "io";

export interface UserErrorOptions {
  code: ErrorCode;
  /** What to do about it. */
  hint?: string;
  problems?: Problem[];
  cause?: unknown;
}

/** An error whose message is meant for the person at the terminal: it is shown without a stack. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly problems: readonly Problem[];

  constructor(message: string, options: UserErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.hint = options.hint;
    this.problems = options.problems ?? [];
  }
}

/**
 * The same error with the first of its problems in the message: who calls the library often prints no more than that.
 * @throws always
 */
export function throwWithProblem(error: unknown): never {
  if (!(error instanceof UserError)) throw error;
  const { code, hint, problems, message, stack } = error;
  const [first] = problems;
  if (first === undefined) throw error;
  const more = problems.length > 1 ? `; and ${problems.length - 1} more` : "";
  const told = new UserError(`${message}: ${describeProblem(first)}${more}`, {
    code,
    ...(hint !== undefined && { hint }),
    problems: [...problems],
    cause: error.cause,
  });
  throw Object.assign(told, { stack: stack?.replace(message, () => told.message) });
}

const SYSTEM_ERRORS: Record<string, string> = {
  EACCES: "permission denied",
  EDQUOT: "disk quota exceeded",
  EEXIST: "it exists already",
  EISDIR: "it is a directory",
  ELOOP: "too many symbolic links",
  EMFILE: "too many open files",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on the disk",
  ENOTDIR: "a part of the path is not a directory",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  E2BIG: "the command line or environment is too long",
};

/** An error of the operating system, as Node throws it. */
export interface SystemError extends Error {
  code?: string;
  syscall?: string;
  path?: string;
}

/** Whether `error` comes from the operating system (a failed read, write or spawn). */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "code" in error && "syscall" in error;
}

/** What somebody else's code threw, as a text. It may be anything, and not everything can be made one. */
export function thrownText(thrown: unknown): string {
  try {
    // Node puts its code into the text of an error.
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  } catch {
    return "a value that can't be shown as a text";
  }
}

/** The same for a message, which tells what is no error. */
export function describeThrown(thrown: unknown): string {
  return thrown instanceof Error ? thrownText(thrown) : `what is no error: ${thrownText(thrown)}`;
}

const DISK_ERRORS = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"]);

/** Whether it is the fault of the machine: what is tried next would fail as well. */
export function isDiskError(error: SystemError): boolean {
  return DISK_ERRORS.has(error.code ?? "");
}

/** A system error in words, e.g. `no space left on the disk (ENOSPC): /tmp/report.json`. */
export function describeSystemError(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : thrownText(error);
  const words = SYSTEM_ERRORS[error.code ?? ""] ?? error.message;
  const place = (error as { dest?: string }).dest ?? error.path;
  return `${words} (${error.code})${place ? `: ${place}` : ""}`;
}

/** An error and what it comes from, as those of `fetch` say it: `fetch failed: connect ECONNREFUSED 127.0.0.1:1`. */
export function describeCauses(error: unknown): string {
  if (!(error instanceof Error)) return thrownText(error);
  // Several addresses were tried; the error that holds them all has no message.
  const [first] = error instanceof AggregateError && error.message === "" ? error.errors : [];
  const words = first === undefined ? error.message.replace(/\.$/, "") : describeCauses(first);
  const inner = error.cause === undefined ? "" : describeCauses(error.cause);
  return inner === "" || words.includes(inner) ? words : `${words}: ${inner}`;
}

const UNREACHABLE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$|CERT|^(ERR_SSL|ERR_TLS|UNABLE_TO)_/;

/** Whether there was no connection that anything could have been sent on, by what `fetch` throws or what it comes from. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === "string" && UNREACHABLE.test(code)) return true;
  // Of an address that fetch refuses by itself nothing but the words tells.
  return error.message === "bad port" || isUnreachable(error.cause);
}
