import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type Handler = (request: IncomingMessage & { text: string }, response: ServerResponse, number: number) => void;

/** A server on loopback that is gone after the test; `number` counts requests from 1. */
export async function serve(handler: Handler) {
  const requests: { method: string; url: string; headers: IncomingMessage["headers"]; text: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, text });
    handler(Object.assign(request, { text }), response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
