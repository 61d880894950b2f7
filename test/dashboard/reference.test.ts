import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenapiDocument, type Operation, operationsOf } from "../../dashboard/pages/reference/document.ts";
import { guideHref, guides } from "../../dashboard/pages/reference/guides.ts";
import { found, topicsOf } from "../../dashboard/pages/reference/topics.ts";
import {
  type Draft,
  firstDraft,
  missingIn,
  type PlannedRequest,
  parameterKey,
  planned,
} from "../../dashboard/pages/reference/try/draft.ts";
import { rememberIds } from "../../dashboard/pages/reference/try/recent-ids.ts";
import { curlSample, pythonSample, typescriptSample } from "../../dashboard/pages/reference/try/samples.ts";
import { en } from "../../dashboard/text/en.ts";
import { openapi } from "../../functions/api/openapi/document.ts";
import { routes } from "../../functions/api/routes.ts";
import { PYTHON, withPython } from "../engines/support/tools.ts";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";

const document = JSON.parse(JSON.stringify(openapi(routes, "http://localhost"))) as OpenapiDocument;
const operations = operationsOf(document);

const operation = (id: string): Operation => {
  const one = operations.find((each) => each.id === id);
  if (one === undefined) {
    throw new Error(`There is no operation ${id}.`);
  }
  return one;
};

describe("topics of the reference", () => {
  const topics = topicsOf(document, en.reference.groups);

  test("contain every operation and message once, and those of sessions in a separate group", () => {
    const ids = topics.flatMap(({ content }) => (content.type === "operation" ? [content.operation.id] : []));
    expect(ids.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
    expect(new Set(topics.map(({ id }) => id)).size).toBe(topics.length);
    const own = topics.filter(({ group }) => group === en.reference.groups.dashboard).map(({ id }) => id);
    expect(own).toEqual(expect.arrayContaining(["createKey", "createSession", "deleteAccount", "receiveBillingEvent"]));
    expect(own).not.toEqual(expect.arrayContaining(["createJob"]));
    expect(own).not.toEqual(expect.arrayContaining(["getHealth"]));
  });

  test("are guides from the documentation, whose links lead to topics", () => {
    expect(guides.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["overview", "large-files", "batches", "pipelines", "webhooks", "errors", "clients"]),
    );
    expect(guideHref("errors.md#request")).toBe("#errors");
    expect(guideHref("scale.md")).toBeUndefined();
    expect(guideHref("https://example.com/a.md")).toBe("https://example.com/a.md");
  });

  test("are found by words, those with a match in the name first", () => {
    expect(found(topics, "LARGE file").map(({ id }) => id)[0]).toBe("large-files");
    expect(found(topics, "convert/batch")[0]?.id).toBe("createBatch");
    expect(found(topics, "quota_exceeded").map(({ id }) => id)).toContain("createJob");
    expect(found(topics, "no such words")).toEqual([]);
  });
});

describe("drafts of requests", () => {
  const sender = { origin: "http://localhost", key: "af_test_1" };
  const idOf = (prefix: string) => `${prefix}_0000000000000000000001`;

  test.each(operations.filter(({ kind }) => kind === "request").map((each) => [each.id, each] as const))(
    "of %s can be sent twice: no idempotency key, nothing that sends results elsewhere",
    (_, each) => {
      const { headers, url, body } = planned(each, firstDraft(document, each), sender);
      expect(headers.map(([name]) => name.toLowerCase())).not.toContain("idempotency-key");
      expect(url).not.toMatch(/[{}]|webhook_url/);
      expect(body?.type === "json" ? body.text : "").not.toContain("webhook_url");
    },
  );

  test("have the IDs of earlier responses, the newest first", () => {
    rememberIds(`{"upload_id": "${idOf("upl")}", "id": "${idOf("job")}"}`);
    rememberIds(`{"upload_id": "upl_0000000000000000000002"}`);
    const { json } = firstDraft(document, operation("createJob"));
    expect(JSON.parse(json)).toMatchObject({ upload_id: "upl_0000000000000000000002", target_format: "jpg" });
    const { parameters } = firstDraft(document, operation("getJob"));
    expect(parameters["path id"]).toBe(idOf("job"));
  });

  test("name what is missing, and escape values in paths and queries", () => {
    const draft = firstDraft(document, operation("getConversion"));
    expect(missingIn(operation("createUpload"), firstDraft(document, operation("createUpload")))).toEqual(["file"]);
    const filled = { ...draft, parameters: { "path source": "image/heic", "path target": "a&b" } };
    expect(planned(operation("getConversion"), filled, sender)).toMatchObject({
      url: "http://localhost/api/v1/formats/image%2Fheic/a%26b",
      headers: [],
    });
  });
});

const run = promisify(execFile);
const RUN_MS_MAX = 60_000;

describe("code of the reference, as displayed, runs", () => {
  let service: LocalService;
  let folder: TemporaryFolder;
  let key: string;
  beforeAll(async () => {
    service = await startLocalService();
    folder = temporaryFolder();
    key = (await readFile(join(service.dataDir, "api-key"), "utf8")).trim();
  });
  afterAll(async () => {
    await service?.stop();
    await service?.erase();
    await folder?.remove();
  });

  const photo = join(import.meta.dirname, "../fixtures/alpha.png");

  /** @returns the output of the program for a request with these parameters and this body */
  const output = async (language: Language, id: string, change: (draft: Draft) => Draft): Promise<string> => {
    const cwd = join(folder.path, language.name);
    await mkdir(cwd, { recursive: true });
    await copyFile(photo, join(cwd, "photo.heic"));
    const draft = change(firstDraft(document, operation(id)));
    const program = language.sample(planned(operation(id), draft, { origin: service.url, key }));
    const file = join(cwd, `${id}.${language.extension}`);
    await writeFile(file, program);
    return (await run(language.command, [file], { cwd, timeout: RUN_MS_MAX })).stdout;
  };

  /** Uploads, converts, and downloads; then converts in one call, with a form and with the file as the body. */
  const runsAll = async (language: Language): Promise<void> => {
    const upload = JSON.parse(await output(language, "createUpload", (draft) => draft));
    const json = JSON.stringify({ upload_id: upload.upload_id, target_format: "jpg", metadata: { note: "it's" } });
    const job = JSON.parse(
      await output(language, "createJob", (draft) => ({ ...draft, json, parameters: { "query wait": "25" } })),
    );
    expect(job).toMatchObject({ status: "completed", metadata: { note: "it's" } });
    const token = { [parameterKey({ in: "path", name: "token" })]: job.result.download_token };
    const result = join(folder.path, language.name, "result");
    await output(language, "downloadResult", (draft) => ({ ...draft, parameters: token }));
    expect((await readFile(result)).subarray(0, 2).toString("hex")).toBe("ffd8");
    await output(language, "convertFile", (draft) => ({ ...draft, fields: { target_format: "webp" } }));
    expect((await readFile(result)).subarray(8, 12).toString()).toBe("WEBP");
    await output(language, "convertFilePut", (draft) => ({ ...draft, parameters: { "query target_format": "gif" } }));
    expect((await readFile(result)).subarray(0, 3).toString()).toBe("GIF");
    await output(language, "deleteJob", (draft) => ({ ...draft, parameters: { "path id": job.id } }));
  };

  test("with curl", () => runsAll({ name: "curl", extension: "sh", command: "bash", sample: curlSample }));

  test("in TypeScript", () =>
    runsAll({ name: "typescript", extension: "mts", command: process.execPath, sample: typescriptSample }));

  test("in Python", async (context) => {
    context.skip(!withPython("requests"), "The package requests is not installed.");
    await runsAll({ name: "python", extension: "py", command: PYTHON, sample: pythonSample });
  });
});

interface Language {
  readonly name: string;
  readonly extension: string;
  readonly command: string;
  readonly sample: (request: PlannedRequest) => string;
}
