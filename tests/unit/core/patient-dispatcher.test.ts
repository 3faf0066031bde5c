import { expect, it } from "vitest";
import { createDispatcher } from "../../../src/core/patient-dispatcher.js";
import { serve } from "../../helpers/server.js";

it("changes how long fetch waits for a service that is silent", async () => {
  const server = await serve(() => {});
  const impatient = createDispatcher(50);
  if (!impatient) throw new Error("this Node has no dispatcher to take after");
  const failure = await fetch(server.url, { dispatcher: impatient }).catch((error: Error) => error);
  expect((failure as Error).cause).toMatchObject({ code: "UND_ERR_HEADERS_TIMEOUT" });
});

it("lets it wait without an end", async () => {
  const server = await serve((_, response) => void setTimeout(() => response.end("late"), 1500));
  const patient = createDispatcher(0);
  if (!patient) throw new Error("this Node has no dispatcher to take after");
  // Its clock ticks once a second: any limit would have been noticed by now.
  expect(await (await fetch(server.url, { dispatcher: patient })).text()).toBe("late");
});
