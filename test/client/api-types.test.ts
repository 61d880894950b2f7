import { join } from "node:path";
import { expect, it } from "vitest";
import { typesOf } from "../../client/generate-types.ts";
import { documentAt } from "../../functions/api/routes.ts";

it("the client's types match the OpenAPI document; `vitest run test/client/api-types.test.ts -u` regenerates them", async () => {
  const path = join(import.meta.dirname, "../../client/api-types.ts");
  await expect(typesOf(documentAt("https://anyform.example"))).toMatchFileSnapshot(path);
});
