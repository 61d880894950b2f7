import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationNames } from "../../functions/domain/pipelines/operations.ts";
import type { PipelineView } from "../../functions/domain/pipelines/pipeline-views.ts";
import { sampleOf } from "../engines/support/fixtures.ts";
import { type ApiClient, apiClient } from "../support/services/client.ts";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";

/** The examples of the guide from CloudConvert, as they are printed there. */

const guide = await readFile(join(import.meta.dirname, "../../docs/from-cloudconvert.md"), "utf8");
const examples = [...guide.matchAll(/^## (.+)\n(?:(?!^## )[\s\S])*?```json\n([\s\S]+?)```/gm)].map(
  ([, title = "", text = ""]) => [title, JSON.parse(text)] as [string, { inputs: Record<string, string> }],
);

/** A file for each input of the examples. */
const files: Readonly<Record<string, string>> = {
  letter: sampleOf("docx"),
  photo: sampleOf("jpg"),
  logo: sampleOf("png"),
};

describe("the guide from CloudConvert", () => {
  let service: LocalService;
  let client: ApiClient;
  beforeAll(async () => {
    service = await startLocalService();
    client = await apiClient(service.url, (await readFile(join(service.dataDir, "api-key"), "utf8")).trim());
  });
  afterAll(async () => {
    await service.stop();
    await service.erase();
  });

  it("has examples", () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
  });

  it.each(examples)(
    "shows a pipeline that completes: %s",
    async (_, { inputs, ...definition }) => {
      const uploads: Record<string, string> = {};
      for (const name of Object.keys(inputs)) {
        uploads[name] = (await client.upload(files[name] ?? "")).body.upload_id;
      }
      const { status, body } = await client.call<PipelineView>("/api/v1/pipelines", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...definition, inputs: uploads }),
      });
      expect(status, JSON.stringify(body)).toBe(202);
      let ended = body;
      for (let waits = 0; waits < 4 && ended.finished_at === null; waits += 1) {
        ({ body: ended } = await client.call<PipelineView>(`/api/v1/pipelines/${body.id}?wait=25`));
      }
      expect([ended.status, ended.results.length], JSON.stringify(ended.steps)).toEqual(["completed", 1]);
    },
    120_000,
  );

  it("names operations that exist", () => {
    const named = [...guide.matchAll(/"operation": "(\w+)"/g)].map(([, name]) => name);
    expect(named.filter((name) => !operationNames.some((known) => known === name))).toEqual([]);
  });
});
