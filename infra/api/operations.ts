import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HttpMethod, HttpRoute, HttpRouteKey, type IHttpApiRef } from "aws-cdk-lib/aws-apigatewayv2";
import type { Alias } from "aws-cdk-lib/aws-lambda";
import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import type { IConstruct } from "constructs";
import {
  type AnyOperation,
  MEMORY_MEGABYTES,
  servedMethods,
  servedPaths,
  TIMEOUT_SECONDS,
} from "../../functions/api/operation.ts";
import { type OperationId, routes } from "../../functions/api/routes.ts";
import { bundleName } from "../bundle-name.ts";
import { type Deployment, ServiceFunction } from "../functions.ts";
import { waitsOf } from "../settings/capacity.ts";
import { type Settings, shownSettings } from "../settings/settings.ts";
import { callerOf, FunctionIntegration } from "./integrations.ts";
import { GRADUAL } from "./rollout.ts";

/** The stacks that contain operations. */
export type OperationStack = "accounts" | "service";

type Operation = (typeof routes)[number];

const VERSION: string = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")).version;

/** Paths of the operations of the stack `accounts`, with everything below them. */
const ACCOUNT_PATHS = ["/api/v1/session", "/api/v1/keys"];

/**
 * @returns the operations of a stack. Those that the pages need for sign-in, accounts and keys have their own: a stack
 * may contain 500 resources, and each operation needs five
 */
export const operationsOf = (stack: OperationStack): readonly Operation[] =>
  routes.filter(
    ({ path }) =>
      ACCOUNT_PATHS.some((start) => path === start || path.startsWith(`${start}/`)) === (stack === "accounts"),
  );

export interface OperationsProps {
  readonly deployment: Deployment;
  readonly http: IHttpApiRef;
  readonly operations: readonly Operation[];
  /** Secret of the distribution. @default none: there is no distribution */
  readonly edgeSecret: ISecret | undefined;
  /** Answers requests to all other paths. @default the gateway does */
  readonly fallback?: AnyOperation;
}

export interface Operations {
  readonly functions: ReadonlyMap<OperationId, ServiceFunction>;
  /** The functions that are deployed gradually; none if all are deployed at once. */
  readonly aliases: ReadonlyMap<OperationId, Alias>;
}

/**
 * Creates one function per operation, and the routes to it.
 *
 * @param scope where the functions are created
 * @param routesScope where the routes are created
 */
export const operationsIn = (scope: IConstruct, routesScope: IConstruct, props: OperationsProps): Operations => {
  const { deployment, http, operations, fallback } = props;
  const handlers = operations.map((operation) => ({ operation, handler: functionOf(scope, operation, props) }));
  const functions = new Map(handlers.map(({ operation, handler }) => [operation.id, handler]));
  const aliases = deployment.settings.rollout === "gradual" ? gradualAliases(functions) : new Map<OperationId, Alias>();
  const last = fallback && functionOf(scope, fallback, props).lambda;
  const targets = handlers.map(({ operation, handler }) => ({
    operation,
    target: aliases.get(operation.id) ?? handler.lambda,
  }));
  const caller = callerOf(scope, [...targets.map(({ target }) => target), ...(last ? [last] : [])]);
  for (const { operation, target } of targets) {
    const integration = new FunctionIntegration(operation.id, target, caller);
    for (const path of servedPaths(operation)) {
      for (const method of servedMethods(operation).map((name) => HttpMethod[name])) {
        const routeKey = HttpRouteKey.with(path, method);
        new HttpRoute(routesScope, `${method}${path}`, { httpApi: http, routeKey, integration });
      }
    }
  }
  if (fallback && last) {
    // Unknown paths get the API's error format, which the gateway's default 404 does not have.
    const integration = new FunctionIntegration(fallback.id, last, caller);
    new HttpRoute(scope, "Fallback", { httpApi: http, routeKey: HttpRouteKey.DEFAULT, integration });
  }
  return { functions, aliases };
};

const gradualAliases = (functions: Operations["functions"]): ReadonlyMap<OperationId, Alias> =>
  new Map(
    [...functions]
      .filter(([id]) => GRADUAL.includes(id))
      .map(([id, { lambda }]) => [id, lambda.addAlias("live", { description: "The version that clients use" })]),
  );

const functionOf = (
  scope: IConstruct,
  operation: AnyOperation,
  { deployment, edgeSecret }: OperationsProps,
): ServiceFunction => {
  const { publicUrl, requestLog, visitors, capacity } = deployment.settings;
  const reserved = new Map(Object.entries(capacity.waiting ?? {})).get(operation.id);
  return new ServiceFunction(scope, operation.id, {
    deployment,
    bundle: bundleName(operation.id),
    description: `${operation.methods.join(", ")} ${operation.path}: ${operation.summary}`.trim(),
    log: "api",
    permissions: operation.permissions,
    environment: {
      ...(publicUrl !== undefined && { ANYFORM_PUBLIC_URL: publicUrl }),
      ...(visitors && { ANYFORM_VISITORS: "true" }),
      ...operatingOf(operation, deployment.settings),
      ...(requestLog !== "all" && { ANYFORM_REQUEST_LOG: requestLog }),
      ...(reserved !== undefined && { ANYFORM_WAITS_MAX: String(waitsOf(reserved)) }),
      ...(edgeSecret && { ANYFORM_EDGE_SECRET: edgeSecret.secretValue.unsafeUnwrap() }),
    },
    memoryMegabytes: operation.memoryMegabytes ?? MEMORY_MEGABYTES,
    timeoutSeconds: operation.timeoutSeconds ?? TIMEOUT_SECONDS,
    reserved,
  });
};

/** What functions for the operators know. */
const operatingOf = ({ permissions }: AnyOperation, settings: Settings): Readonly<Record<string, string>> => ({
  ...(permissions.operates && settings.operators !== undefined && { ANYFORM_OPERATORS: settings.operators }),
  ...(permissions.watches && { ANYFORM_DEPLOYMENT: JSON.stringify({ version: VERSION, ...shownSettings(settings) }) }),
});
