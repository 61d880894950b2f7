import { afterEach, beforeEach, expect, it } from "vitest";
import { meter } from "../../../functions/api/middleware/meter.ts";
import type { ApiEvent, Exchange } from "../../../functions/api/request.ts";
import { routeOf } from "../../../functions/api/routes.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import { NOW, quotaRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

let world: World;

beforeEach(() => {
  world = makeWorld(NOW);
});
afterEach(() => world.close());

/** Handles the response of an accepted request. @returns the headers that were added to it */
const passed = async (context: Context): Promise<Record<string, string>> => {
  const headers: Exchange["headers"] = { ratelimit: '"month";r=99;t=1' };
  const exchange: Exchange = {
    context,
    request: { ...requestOf(undefined), claim: quotaRecord("acc_1", 100) },
    headers,
  };
  const event = { exchange } as ApiEvent;
  await meter(routeOf("createJob")).after?.({ event, context: {} as never, response: {}, error: null, internal: {} });
  return headers;
};

it("reports the remaining requests in the response", async () => {
  await world.context.quotas.take(quotaRecord("acc_1", 100));
  await world.context.quotas.take(quotaRecord("acc_1", 100));
  expect((await passed(world.context))["x-ratelimit-remaining"]).toBe("98");
});

it("responds to an accepted and counted request even if the count cannot be read", async () => {
  const used = async () => {
    throw new Error("The table is unavailable.");
  };
  const headers = await passed({ ...world.context, quotas: { ...world.context.quotas, used } });
  expect(headers).toEqual({ ratelimit: '"month";r=99;t=1' });
});
