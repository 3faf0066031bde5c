import type { RealAgent } from "./agents.js";
import type { Reply, Script } from "./model-server.js";
import type { ModelRequest } from "./protocols/protocol.js";

export const always =
  (reply: Reply): Script =>
  () =>
    reply;

/** A turn with a call of a tool, and `then` once its result is there. */
export function afterTool(agent: RealAgent, command: string, then: Script): Script {
  return (request) => (request.toolResults.length > 0 ? then(request) : { tool: agent.shell(command) });
}

/** All that the user said in some requests. */
export const said = (requests: readonly ModelRequest[]) => requests.flatMap(({ userTexts }) => userTexts).join("\n");
