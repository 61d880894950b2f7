import { requestErrors } from "../../domain/errors/request-errors.ts";
import type { RequestErrorCode } from "../../domain/errors.ts";
import { type AnyOperation, type Example, example } from "../operation.ts";
import { samplesAt } from "./samples.ts";
import { webhookExamples } from "./webhooks.ts";

/**
 * @returns all examples by name: those of the operations, of webhook messages, and of each error by its code
 * @throws TypeError when two operations give the same name to different examples
 */
export const examplesAt = (routes: readonly AnyOperation[], baseUrl: string): Readonly<Record<string, Example>> => {
  const samples = samplesAt(baseUrl);
  const codes = Object.keys(requestErrors) as RequestErrorCode[];
  const all = [
    ...codes.map((code) => [code, example("Problem", requestErrors[code].title, samples.problem(code))] as const),
    ...routes.flatMap(({ examples }) => Object.entries(examples?.(samples) ?? {})),
    ...Object.entries(webhookExamples(samples)),
  ];
  const named = Object.fromEntries(all);
  if (Object.keys(named).length < all.length) {
    throw new TypeError("Two examples have the same name.");
  }
  return named;
};
