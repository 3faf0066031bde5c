import type { Message } from "../../session.js";

export interface TeamPromptOptions {
  task: string;
  /** The conversation so far, oldest first. */
  said: readonly Message[];
  /** Whose turn it is. */
  name: string;
}

/** What one of a team is asked: the task as it is, and where others have spoken what they said. */
export function teamPrompt({ task, said, name }: TeamPromptOptions): string {
  const messages = said.map((message) => `[${message.name}]\n${message.content}`).join("\n\n");
  const talk = messages === "" ? "" : `\n\nConversation so far, oldest message first:\n\n${messages}`;
  return `Task:\n${task}${talk}\n\nYou are '${name}'. Write your next message, and nothing else.`;
}
