import { join } from "node:path";
import { expect, it } from "vitest";
import { optionTypesOf, typesOf } from "../../client/generate/generate-types.ts";
import { documentAt } from "../../functions/api/routes.ts";
import { optionNames } from "../../functions/domain/conversions/options.ts";
import { optionsJsonSchema } from "../../functions/domain/conversions/options-json.ts";
import { formats } from "../../functions/domain/formats/formats.ts";

it("the client's types match the OpenAPI document; `vitest run test/client/api-types.test.ts -u` regenerates them", async () => {
  const path = join(import.meta.dirname, "../../client/api-types.ts");
  await expect(typesOf(documentAt("https://anyform.example"))).toMatchFileSnapshot(path);
});

it("the client's formats and options match those of the service", async () => {
  const path = join(import.meta.dirname, "../../client/option-types.ts");
  const ids = formats.map(({ id }) => id).toSorted();
  const { properties } = optionsJsonSchema({ options: optionNames.toSorted() });
  await expect(optionTypesOf(ids, properties as Record<string, unknown>)).toMatchFileSnapshot(path);
});
