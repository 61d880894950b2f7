import { type Route, servedPaths } from "./operation.ts";

/** The part of a route that decides which requests it serves. */
export type Addressed = Pick<Route, "aliases" | "methods" | "path">;

/** @returns the parameters of a path that one of the route's paths matches, like {@link pathParams} */
export const routeParams = (
  route: Pick<Route, "aliases" | "path">,
  path: string,
): Record<string, string> | undefined => {
  for (const template of servedPaths(route)) {
    const params = pathParams(template, path);
    if (params !== undefined) {
      return params;
    }
  }
  return undefined;
};

/** @returns the path without a trailing slash and repeated slashes, which base URLs with a trailing slash produce */
export const canonicalPath = (path: string): string => path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");

/**
 * @param template an operation's path, with `{name}` for a parameter
 * @returns the parameters of a path that matches the template, decoded; undefined when it does not match, lacks a parameter
 * or has invalid percent-encoding
 */
export const pathParams = (template: string, path: string): Record<string, string> | undefined =>
  pathMatcher(template)(path.split("/"));

/** @returns {@link pathParams} of a template, for the parts of a path between its slashes */
export const pathMatcher = (template: string): ((parts: readonly string[]) => Record<string, string> | undefined) => {
  const names = template.split("/");
  const fits = (parts: readonly string[]): boolean =>
    names.length === parts.length &&
    names.every((name, index) => (name.startsWith("{") ? parts[index] !== "" : name === parts[index]));
  return (parts) => {
    if (!fits(parts)) {
      return undefined;
    }
    try {
      return Object.fromEntries(
        names.flatMap((name, index) =>
          name.startsWith("{") ? [[name.slice(1, -1), decodeURIComponent(parts[index] ?? "")]] : [],
        ),
      );
    } catch {
      return undefined;
    }
  };
};
