import { http, type Operation } from "./http.ts";

/** Says that the service answers, and with which engines. */
export const getHealth: Operation = (context) => async () => ({
  status: 200,
  body: { status: "ok", engines: Object.fromEntries(context.engines) },
});

export const handler = http("getHealth", getHealth);
