import * as z from "zod/mini";
import { described } from "../domain/conversions/options/described.ts";
import { example, operation } from "./operation.ts";
import { noPermissions } from "./permissions.ts";

/** Confirms that the service is running, and lists its engines. */
export const getHealth = operation({
  id: "getHealth",
  methods: ["GET"],
  path: "/health",
  auth: "none",
  memoryMegabytes: 256,
  timeoutSeconds: 5,
  permissions: noPermissions,
  tag: "Service",
  summary: "Health check",
  description: "Confirms that the service is running. For load balancers and monitoring.",
  answers: { 200: { description: "The service is running.", examples: ["health"] } },
  examples: () => ({ health: example("Health", "A healthy service", { status: "ok", engines: { sharp: "0.35.5" } }) }),
  schemas: () => ({
    Health: described(
      z.strictObject({
        status: described(z.enum(["ok"]), "Always `ok`: an unhealthy service does not respond."),
        engines: described(z.record(z.string(), z.string()), "The conversion engines and their versions."),
      }),
      "The health of the service.",
    ),
  }),
  run: (context) => async () => ({
    status: 200,
    body: { status: "ok", engines: Object.fromEntries(context.engines) },
  }),
});
