import { join } from "node:path";
import { expect, it } from "vitest";
import { typesOf } from "../../client/generate-types.ts";
import { openapi } from "../../functions/api/openapi.ts";

it("the client's types are those of the OpenAPI document; `vitest run -u` on this file writes them anew", async () => {
  const path = join(import.meta.dirname, "../../client/api-types.ts");
  await expect(typesOf(openapi("https://anyform.example"))).toMatchFileSnapshot(path);
});
