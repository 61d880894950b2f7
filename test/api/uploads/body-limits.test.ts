import { Readable } from "node:stream";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { jsonBody } from "../../../functions/api/middleware/read-json.ts";
import { routeOf } from "../../../functions/api/routes.ts";
import { BATCH_BODY_BYTES_MAX, JSON_BODY_BYTES_MAX } from "../../../functions/domain/limits.ts";
import { requestOf } from "../../support/world/requests.ts";

/** Reads a body of the given size like the operation does. */
const read = (operation: Parameters<typeof routeOf>[0], bytes: number) => {
  const text = JSON.stringify("a".repeat(bytes - 2));
  const headers = { "content-type": "application/json" };
  const request = { ...requestOf(undefined), headers, stream: () => Readable.from([Buffer.from(text)]) };
  return jsonBody(request, z.string(), routeOf(operation).jsonBytesMax);
};

test.each([
  ["createJob", JSON_BODY_BYTES_MAX],
  ["createBatch", BATCH_BODY_BYTES_MAX],
] as const)("the JSON body of %s is limited to %i bytes", async (operation, bytesMax) => {
  expect(await read(operation, bytesMax)).toHaveLength(bytesMax - 2);
  await expect(read(operation, bytesMax + 1)).rejects.toMatchObject({ code: "payload_too_large" });
});
