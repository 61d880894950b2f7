import { asError, logger } from "../functions/logger.ts";
import type { LocalContext } from "./context.ts";
import type { GotenbergRoutes } from "./gotenberg/gotenberg.ts";
import type { Dashboard } from "./http/dashboard.ts";
import { type Gateway, gateway } from "./http/gateway.ts";
import { requestOrigin } from "./http/request-origin.ts";
import { metricsPage } from "./metrics/metrics-page.ts";
import type { Settings } from "./settings.ts";

/** The gateway of a process of the service. */
export interface ServiceGateway {
  readonly server: Gateway;
  readonly forms: GotenbergRoutes | undefined;
}

/** @returns a gateway for all requests, which is not listening yet */
export const serviceGateway = async (
  context: LocalContext,
  settings: Settings,
  pages: Dashboard | undefined,
): Promise<ServiceGateway> => {
  const forms = settings.gotenberg ? await gotenberg(context) : undefined;
  const server = await gateway({
    body: "stream",
    files: context.files.serveSigned,
    gotenberg: forms,
    metrics: metricsPage(context.metrics, { access: settings.metricsAccess, clock: context.clock }),
    pages,
    origin: requestOrigin({ ...settings, listensOn: settings.host }),
    limits: settings,
    onError,
  });
  return { server, forms };
};

/** Most services do not offer these routes, and their memory is a few MB. */
const gotenberg = async (context: LocalContext): Promise<GotenbergRoutes> =>
  (await import("./gotenberg/gotenberg.ts")).gotenbergRoutes(context);

/** @param about log fields of the job or task that failed */
export const onError = (error: unknown, about: Readonly<Record<string, string>> = {}): void =>
  logger.error("unexpected", { ...about, error: asError(error) });
