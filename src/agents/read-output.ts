import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { OutputFormat } from "../config/agent-template.js";
import { type AgentEvent, type Answer, isObject, type Reader, stringAt } from "./answer.js";
import { parsePrinted } from "./parse-printed.js";
import { claudeReader } from "./readers/claude.js";
import { codexReader } from "./readers/codex.js";
import { geminiReader } from "./readers/gemini.js";
import { opencodeReader } from "./readers/opencode.js";
import { openhandsReader } from "./readers/openhands.js";
import { piReader } from "./readers/pi.js";

const READERS: Record<Exclude<OutputFormat, "text">, () => Reader> = {
  claude: claudeReader,
  codex: codexReader,
  gemini: geminiReader,
  opencode: opencodeReader,
  openhands: openhandsReader,
  pi: piReader,
};

/** How much of the end of an output is read; a verdict stands at the end. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * The final answer in the output of an agent.
 * Output that holds not one event of the format is read as text: flags may have been overridden.
 * @param prompt what the agent was asked; an echo of it is no answer. Empty: the answer may repeat it, and plain text
 *   is the answer as it is, also where it is a JSON document
 */
export function readAgentOutput(path: string, format: OutputFormat, prompt: string): Answer {
  const text = readEnd(path).trim();
  const reader = READERS[format === "text" ? "claude" : format]();
  for (const event of eventsOf(text, format)) reader.take(event);
  const answer = reader.answer();
  if (answer !== undefined) return answer;
  return format === "text" && prompt === "" ? plainText(text) : readText(text.replaceAll(prompt, ""));
}

/**
 * The events in an output. There are none unless its first or its last line is one: text may quote an event that an
 * agent found in a file.
 */
function eventsOf(text: string, format: OutputFormat): Iterable<AgentEvent> {
  const list = text.startsWith("[") ? parsePrinted(text) : undefined;
  if (Array.isArray(list)) return list.filter(isObject);
  // OpenHands prints lines for people all around its events.
  const isStream = format === "openhands" || isEvent(firstLine(text)) || isEvent(lastLine(text));
  return isStream ? eventLines(text) : [];
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end === -1 ? text : text.slice(0, end);
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

function isEvent(line: string): boolean {
  return line.startsWith("{") && stringAt(parsePrinted(line), "type") !== undefined;
}

/** The JSON objects that stand on lines of their own, one on a line or indented over several; the rest is passed over. */
function* eventLines(text: string): Generator<AgentEvent> {
  let indented = -1;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const first = text[start];
    if (first === "{") indented = text.slice(start + 1, end).trim() === "" ? start : -1;
    const from = first === "{" && indented === -1 ? start : first === "}" ? indented : -1;
    if (from !== -1) {
      const event = parsePrinted(text.slice(from, end));
      if (isObject(event)) yield event;
      indented = -1;
    }
    start = end + 1;
  }
}

/** Plain text; or one JSON document that holds the answer as a string, as the agents' one-shot JSON modes print it. */
function readText(text: string): Answer {
  const document = text.startsWith("{") ? parsePrinted(text) : undefined;
  const isWrapper = isObject(document) && document["score"] === undefined;
  if (!isWrapper) return plainText(text);
  const inner = stringAt(document, "response") ?? stringAt(document, "result") ?? stringAt(document, "text");
  if (document["is_error"] === true) return { text: null, failure: inner ?? "its result is an error", toolCalls: [] };
  return { text: inner ?? text, toolCalls: [] };
}

function plainText(text: string): Answer {
  return { text: text === "" ? null : text, toolCalls: [] };
}

/** The end of a file; nothing of what is no regular file: a pipe that was put there would be read for ever. */
function readEnd(path: string): string {
  if (!statSync(path).isFile()) return "";
  const fd = openSync(path, "r");
  try {
    const size = fstatSync(fd).size;
    const buffer = Buffer.alloc(Math.min(size, MAX_BYTES));
    let done = 0;
    while (done < buffer.length) {
      const read = readSync(fd, buffer, done, buffer.length - done, size - buffer.length + done);
      if (read === 0) break;
      done += read;
    }
    return buffer.toString("utf8", 0, done);
  } finally {
    closeSync(fd);
  }
}
