import type { MiddlewareObj } from "@middy/core";
import type { AnyOperation } from "../operation.ts";
import { type Answer, type ApiEvent, type ApiResult, exchangeOf } from "../request.ts";
import { preferredSeconds } from "./wait.ts";

/** Confirms `Prefer: wait` with `Preference-Applied` (RFC 7240, 3), unless the parameter `wait` takes precedence. */
export const preferences = ({
  parameters = [],
}: Pick<AnyOperation, "parameters">): MiddlewareObj<ApiEvent, Answer | ApiResult> => ({
  after: ({ event }) => {
    const { headers, request } = exchangeOf(event);
    const seconds = request.query.wait === undefined ? preferredSeconds(request) : undefined;
    if (seconds !== undefined && parameters.includes("prefer")) {
      headers["preference-applied"] = `wait=${seconds}`;
    }
  },
});
