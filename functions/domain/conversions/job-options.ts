import type { Warning } from "../warning.ts";
import { optionWithoutEffect, unusedOptions } from "./option-checks.ts";
import { checkOptions, type OptionName, type Options } from "./options.ts";
import type { Route, RouteTable } from "./plan.ts";

/**
 * Checks the options of a job. Options that the pair supports only with another option, which selects another route, are
 * accepted: they have no effect.
 *
 * @param options user input
 * @returns the options, and a warning for each one that has no effect
 * @throws RequestError `invalid_options`
 */
export const jobOptions = (
  routes: Pick<RouteTable, "find" | "optionsOf">,
  route: Route,
  options: unknown,
): { readonly options: Options; readonly warnings: readonly Warning[] } => {
  const names = Object.keys(options ?? {});
  const { from, to } = route;
  const isOwn = names.every((name) => route.options.some((own) => own === name));
  const isMerge = !isOwn && routes.find(from, to, names) !== route;
  const checked = checkOptions(isOwn || isMerge ? route : routes.optionsOf(from, to), options);
  const idle = (Object.keys(checked) as OptionName[]).filter((name) => !route.options.includes(name));
  return {
    options: checked,
    warnings: [
      ...idle.map((name) => optionWithoutEffect(name, `without ${selectors(routes, route, name)}`)),
      ...unusedOptions(route, checked),
    ],
  };
};

/** @returns the options that select a route on which the option has an effect */
const selectors = (routes: Pick<RouteTable, "find" | "optionsOf">, { from, to }: Route, name: OptionName): string =>
  routes
    .optionsOf(from, to)
    .options.filter((other) => other !== name && routes.find(from, to, [other])?.options.includes(name))
    .map((other) => `\`${other}\``)
    .join(" or ");
