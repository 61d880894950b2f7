import { expect, test } from "vitest";
import { onlyJson } from "../../../functions/api/middleware/accept.ts";

test.each([
  // What axios, Angular, httpie, n8n and RestSharp send.
  ["application/json, text/plain, */*", false],
  ["application/json, */*;q=0.5", false],
  ["application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9, image/*;q=0.8, */*;q=0.7", false],
  ["application/json, text/json, text/x-json, text/javascript, application/xml, text/xml", false],
  ["application/json", true],
  ["application/json; charset=utf-8", true],
  ["APPLICATION/JSON", true],
  ["application/json,", true],
  ["application/json, application/problem+json", true],
  ["application/json;q=0.1", true],
  ["application/json;q=0", false],
  ["application/json;q=0.0, application/problem+json", false],
  ["application/json, image/png;q=0", true],
  ["application/json;q=0.1, */*", false],
  ["application/json, image/*", false],
  ["application/problem+json", false],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", false],
  ["*/*", false],
  ["", false],
  [undefined, false],
])("`Accept: %s` requests only JSON: %s", (accept, expected) => {
  expect(onlyJson(accept)).toBe(expected);
});
