import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { GetObjectCommand, HeadObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { s3Client, s3Signer } from "../../functions/adapters/clients.ts";
import { s3Files } from "../../functions/adapters/s3/files.ts";
import { deploySite, handleDeployment, type ResourceEvent } from "../../functions/events/deploy-site.ts";
import { addressOf } from "../support/address.ts";
import { useEmulators } from "../support/emulators/emulator-suite.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/temporary-folder.ts";

const emulators = useEmulators();

let deployment: Server;
let url: string;
let status = 200;
const answers: { method: string | undefined; type: string | undefined; body: Record<string, unknown> }[] = [];

beforeAll(async () => {
  deployment = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    answers.push({ method: request.method, type: request.headers["content-type"], body });
    response.writeHead(status).end();
  });
  url = await addressOf(deployment);
});
afterAll(() => deployment.close());

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
  status = 200;
  answers.length = 0;
  return () => folder.remove();
});

const event = (RequestType: ResourceEvent["RequestType"]): ResourceEvent => ({
  RequestType,
  ResponseURL: `${url}/signed`,
  StackId: "stack",
  RequestId: "request",
  LogicalResourceId: "Placed",
  ResourceProperties: { origin: "https://anyform.example" },
});

describe("the pages", () => {
  test("are uploaded to the bucket with their types, and the page that references the others comes last", async () => {
    mkdirSync(join(folder.path, "assets"));
    const files = {
      "index.html": "text/html; charset=utf-8",
      "plans.html": "text/html; charset=utf-8",
      "assets/main-1a2b3c.js": "text/javascript; charset=utf-8",
      "icon.svg": "image/svg+xml",
    };
    for (const name of Object.keys(files)) {
      writeFileSync(join(folder.path, name), `the content of ${name} at __ORIGIN__`);
    }
    const [client, name] = [s3Client(), await emulators().freshBucket()];
    const store = s3Files({ client, signer: s3Signer(), name, clock: Date.now });
    const uploaded: string[] = [];
    const storeFile: typeof store.storeFile = (key, path, mediaType) => {
      uploaded.push(key);
      return store.storeFile(key, path, mediaType);
    };
    await deploySite({ files: { ...store, storeFile } }, folder.path)({ origin: "https://anyform.example" });
    expect(uploaded.slice(0, 2).sort()).toEqual(["assets/main-1a2b3c.js", "icon.svg"]);
    expect(uploaded.slice(2)).toEqual(["plans.html", "index.html"]);
    for (const [Key, mediaType] of Object.entries(files)) {
      const { ContentType } = await client.send(new HeadObjectCommand({ Bucket: name, Key }));
      expect(ContentType).toBe(mediaType);
      const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key }));
      const origin = Key.endsWith(".html") ? "https://anyform.example" : "__ORIGIN__";
      expect(await Body?.transformToString()).toBe(`the content of ${Key} at ${origin}`);
    }
    client.destroy();
  });

  test("of the operator are uploaded with their texts, and only those", async () => {
    for (const name of ["index", "terms", "privacy"]) {
      writeFileSync(join(folder.path, `${name}.html`), "__OPERATOR_FILES__");
    }
    const [client, name] = [s3Client(), await emulators().freshBucket()];
    const store = s3Files({ client, signer: s3Signer(), name, clock: Date.now });
    const settings = { origin: "https://anyform.example", operatorTexts: { "terms.md": "# Terms" } };
    await deploySite({ files: store }, folder.path)(settings);
    const read = async (Key: string) =>
      (await client.send(new GetObjectCommand({ Bucket: name, Key }))).Body?.transformToString();
    expect([await read("operator/terms.md"), await read("terms.html")]).toEqual(["# Terms", "terms.md"]);
    await expect(read("privacy.html")).rejects.toThrow();
    client.destroy();
  });

  test("are not uploaded without the page that references the others", async () => {
    writeFileSync(join(folder.path, "icon.svg"), "<svg/>");
    const store = s3Files({ client: s3Client(), signer: s3Signer(), name: "none", clock: Date.now });
    await expect(deploySite({ files: store }, folder.path)({ origin: "https://a.example" })).rejects.toThrow(
      "index.html",
    );
  });
});

describe("a deployment", () => {
  const ids = { PhysicalResourceId: "pages", StackId: "stack", RequestId: "request", LogicalResourceId: "Placed" };

  test.each(["Create", "Update"] as const)("of type %s uploads the pages and reports success", async (kind) => {
    const uploaded: object[] = [];
    await handleDeployment(async (settings) => void uploaded.push(settings))(event(kind));
    expect(uploaded).toEqual([{ origin: "https://anyform.example" }]);
    // The signature of the URL does not include a content type.
    expect(answers).toEqual([{ method: "PUT", type: undefined, body: { Status: "SUCCESS", ...ids } }]);
  });

  test("that deletes the stack keeps the pages", async () => {
    await handleDeployment(() => Promise.reject(new Error("unexpected upload")))(event("Delete"));
    expect(answers.map(({ body }) => body)).toEqual([{ Status: "SUCCESS", ...ids }]);
  });

  test("rolls back when the pages could not be uploaded, and logs the reason", async () => {
    await handleDeployment(() => Promise.reject(new Error("no space")))(event("Update"));
    const Reason = "The pages could not be uploaded. See the function's log.";
    expect(answers.map(({ body }) => body)).toEqual([{ Status: "FAILED", Reason, ...ids }]);
  });

  test("that rejects the response fails the function, so Lambda retries", async () => {
    status = 403;
    await expect(handleDeployment(async () => {})(event("Create"))).rejects.toThrow("403");
  });
});
