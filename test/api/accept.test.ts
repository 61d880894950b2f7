import { expect, test } from "vitest";
import { prefersJson } from "../../functions/api/middleware/accept.ts";

test.each([
  // What axios, Angular, n8n and RestSharp send.
  ["application/json, text/plain, */*", "image/png", false],
  ["application/json, text/json, text/x-json, text/javascript, application/xml, text/xml", "image/png", true],
  ["application/json", "image/png", true],
  ["application/json", "application/json", true],
  ["application/json; charset=utf-8", "image/png", true],
  ["APPLICATION/JSON", "image/png", true],
  ["application/json;q=0.1, */*", "image/png", false],
  ["application/json;q=0.1", "image/png", true],
  ["application/json;q=0", "image/png", false],
  ["application/json, */*;q=0.9", "image/png", true],
  ["application/json, image/*", "image/png", false],
  ["application/json, image/*;q=0.5", "image/png", true],
  ["application/json, image/png", "image/png", false],
  ["application/json, image/webp", "image/png", true],
  ["application/json, text/plain", "text/plain; charset=utf-8", false],
  ["application/json, text/plain", "image/png", true],
  ["application/problem+json", "image/png", false],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", "image/png", false],
  ["*/*", "image/png", false],
  ["", "image/png", false],
  [undefined, "image/png", false],
])("with `Accept: %s`, a client of a %s prefers JSON: %s", (accept, mediaType, expected) => {
  expect(prefersJson(accept, mediaType)).toBe(expected);
});
