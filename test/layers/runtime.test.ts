import { createServer } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Handler, serveInvocations } from "../../layers/image/runtime.ts";
import { type RuntimeApi, startRuntimeApi } from "../support/emulators/runtime-api.ts";

let api: RuntimeApi;
beforeEach(async () => {
  api = await startRuntimeApi();
});
afterEach(() => api.stop());

/** Serves until the API stops. @returns the received trace IDs */
const serve = (handler: Handler<{ name: string }>): readonly (string | undefined)[] => {
  const traces: (string | undefined)[] = [];
  serveInvocations(
    api.address,
    async () => handler,
    (id) => traces.push(id),
  ).catch(() => undefined);
  return traces;
};

test("one process handles event after event, each with its trace ID, and responds under each request ID", async () => {
  const traces = serve(async ({ name }) => ({ hello: name }));
  const outcomes = await Promise.all([api.invoke("a", { name: "Ada" }), api.invoke("b", { name: "Bjørn" })]);
  expect(outcomes).toEqual([
    { path: "invocation/a/response", body: { hello: "Ada" } },
    { path: "invocation/b/response", body: { hello: "Bjørn" } },
  ]);
  expect(await api.invoke("c", { name: "c" })).toMatchObject({ path: "invocation/c/response" });
  expect(traces).toEqual(["Root=1-a", "Root=1-b", "Root=1-c"]);
});

test("an error fails only its own event, with its name and stack trace", async () => {
  serve(async ({ name }) => {
    if (name === "bad") {
      throw new RangeError("no such name");
    }
  });
  const failed = await api.invoke("a", { name: "bad" });
  expect(failed).toMatchObject({
    path: "invocation/a/error",
    errorType: "Runtime.RangeError",
    body: { errorType: "RangeError", errorMessage: "no such name" },
  });
  expect((failed.body as { stackTrace: string[] }).stackTrace[0]).toContain("runtime.test.ts");
  expect(await api.invoke("b", { name: "good" })).toMatchObject({ path: "invocation/b/response", body: null });
});

test("a function that cannot start reports why, and exits", async () => {
  const said = api.initError();
  const load = async (): Promise<Handler<unknown>> => {
    throw new SyntaxError("the code is broken");
  };
  await expect(serveInvocations(api.address, load, () => {})).rejects.toThrow("the code is broken");
  expect(await said).toMatchObject({ errorType: "Runtime.SyntaxError", body: { errorMessage: "the code is broken" } });
});

test("a rejecting API ends the process, so that Lambda starts another one", async () => {
  const refusing = createServer((_, response) => response.writeHead(500).end("out of order"));
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  const address = refusing.address();
  const at = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  await expect(
    serveInvocations(
      at,
      async () => async () => null,
      () => {},
    ),
  ).rejects.toThrow(/500.*out of order/);
  refusing.closeAllConnections();
  refusing.close();
});
