import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pythonTypes, synchronous } from "../../client/generate/generate-python.ts";
import { documentAt } from "../../functions/api/routes.ts";
import { optionNames } from "../../functions/domain/conversions/options.ts";
import { optionsJsonSchema } from "../../functions/domain/conversions/options-json.ts";
import { formats } from "../../functions/domain/formats/formats.ts";

const root = join(import.meta.dirname, "../..");
const source = join(root, "client/python/src/anyform");

describe("files of the Python client; `vitest run test/client/python-files.test.ts -u` regenerates them", () => {
  it("the types match the OpenAPI document and the options", async () => {
    const options = optionsJsonSchema({ options: optionNames.toSorted() });
    const types = pythonTypes(documentAt("https://anyform.example"), {
      formats: formats.map(({ id }) => id).toSorted(),
      options,
    });
    await expect(types).toMatchFileSnapshot(join(source, "_types.py"));
  });

  it.each([
    "account.py",
    "client.py",
    "downloads.py",
    "events.py",
    "jobs.py",
    "transport.py",
    "uploads.py",
    "webhook_endpoints.py",
  ])("the synchronous %s matches the asynchronous one", async (name) => {
    const text = await readFile(join(source, "_async", name), "utf8");
    await expect(synchronous(name, text)).toMatchFileSnapshot(join(source, "_sync", name));
  });

  it("its license is the license of the project", async () => {
    const [copy, license] = [join(root, "client/python/LICENSE"), join(root, "LICENSE")];
    expect(await readFile(copy, "utf8")).toBe(await readFile(license, "utf8"));
  });
});
