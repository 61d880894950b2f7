import { conversionParameters } from "./conversion-parameters.ts";
import type { Parameter } from "./parameter.ts";
import { pathParameters } from "./path-parameters.ts";
import { queryParameters } from "./query-parameters.ts";

/** All parameters. Operations name those that they accept. */
export const parameters = { ...pathParameters, ...conversionParameters, ...queryParameters } as const;

export type ParameterName = keyof typeof parameters;

/** @returns all parameters, as components of the document */
export const parameterComponents = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries<Parameter>(parameters).map(([key, parameter]) => [
      key,
      { name: key, ...parameter, ...(parameter.in === "path" && { required: true }) },
    ]),
  );
