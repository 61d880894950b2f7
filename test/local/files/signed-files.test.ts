import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { problemSchema } from "../../../functions/domain/errors/problem-view.ts";
import { type FolderFiles, folderFiles } from "../../../local/files/folder-files.ts";
import { addressOf } from "../../support/address.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { NOW } from "../../support/world/records.ts";

const KEY = "results/job_1/1";
const CONTENT = Buffer.from("0123456789");

describe("a signed URL of one machine", () => {
  let folder: TemporaryFolder;
  let server: Server;
  let baseUrl: string;
  let files: FolderFiles;
  let now: number;
  let url: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    now = NOW;
    files = folderFiles({ folder: folder.path, baseUrl: () => baseUrl, secret: randomBytes(32), clock: () => now });
    server = createServer((request, response) => files.serveSigned(request, response));
    baseUrl = await addressOf(server);
    await files.storeStream(KEY, one(CONTENT), 100);
    url = await sign("Zürich.html");
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await folder.remove();
  });

  const sign = (filename: string): Promise<string> =>
    files.signedUrl(KEY, { filename, mediaType: "text/html", expiresAt: NOW + 60_000 });
  const get = (headers: Record<string, string> = {}, method = "GET") => fetch(url, { headers, method });
  const open = (changed: string) => files.openSigned(changed.slice(baseUrl.length));

  it("is valid as signed", () => {
    expect(open(url)).toMatchObject({ key: KEY, filename: "Zürich.html", mediaType: "text/html" });
  });

  it.each([
    ["a later expiry", /expires=\d+/, `expires=${NOW + 9e9}`],
    ["no expiry", /expires=\d+&/, ""],
    ["another name", "rich.html", "rich.exe"],
    ["another media type", "text%2Fhtml", "text%2Fplain"],
    ["another job", "job_1", "job_2"],
    ["another attempt", "/1?", "/2?"],
    ["another folder", "results/", "uploads/"],
    ["a doubled slash", "results/", "results//"],
    ["another prefix", "/files/", "/Files/"],
    ["a truncated signature", /.$/, ""],
    ["no signature", /&signature=.*/, ""],
    ["another signature", /signature=.{4}/, "signature=AAAA"],
  ])("is invalid with %s", async (_, from, to) => {
    const changed = url.replace(from, to);
    expect(changed).not.toBe(url);
    expect(open(changed)).toBe("invalid");
    const response = await fetch(changed);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(problemSchema.parse(await response.json())).toMatchObject({ status: 404, code: "not_found" });
  });

  it("is invalid if it was signed with another secret", async () => {
    const other = folderFiles({ folder: folder.path, baseUrl: () => "", secret: randomBytes(32), clock: () => now });
    expect(other.openSigned(url.slice(baseUrl.length))).toBe("invalid");
  });

  it("expires to the millisecond, and is invalid if it was changed after it expired", async () => {
    now = NOW + 59_999;
    expect(open(url)).toMatchObject({ key: KEY });
    now = NOW + 60_000;
    expect(open(url)).toBe("expired");
    expect(open(url.replace("job_1", "job_2"))).toBe("invalid");
    const response = await get();
    expect(response.status).toBe(410);
    expect(problemSchema.parse(await response.json())).toMatchObject({ status: 410, code: "expired" });
  });

  it("returns 410 if its file was deleted", async () => {
    await files.remove([KEY]);
    const response = await get();
    expect(response.status).toBe(410);
    expect(response.headers.get("content-disposition")).toBeNull();
  });

  it("returns a file that browsers do not run as a page of this host, and caches do not store", async () => {
    const { headers } = await get();
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/html",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, no-store",
      "accept-ranges": "bytes",
    });
  });

  it.each(['a"; filename="evil.exe', "line\r\nset-cookie: a=b", "\ud800.png", "%41.png", "a".repeat(255)])(
    "encodes the name %j safely in the headers",
    async (filename) => {
      url = await sign(filename);
      const response = await get();
      expect(response.status).toBe(200);
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(response.headers.get("content-disposition")).toMatch(
        /^attachment; filename="[^"\\]*"; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]*$/,
      );
    },
  );

  it("responds to HEAD like GET without the content", async () => {
    const response = await get({}, "HEAD");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("10");
    expect(await response.text()).toBe("");
  });

  it.each(["POST", "DELETE"])("rejects %s", async (method) => {
    const response = await get({}, method);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD");
    expect(problemSchema.parse(await response.json()).code).toBe("method_not_allowed");
  });

  it("has a strong ETag that allows a 304 response", async () => {
    const etag = (await get()).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-z-]+"$/);
    const known = await get({ "if-none-match": etag });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
    expect((await get({ "if-match": '"other"' })).status).toBe(412);
    expect((await get({ "if-match": etag })).status).toBe(200);
  });

  it("has a different ETag for another file", async () => {
    const etag = (await get()).headers.get("etag");
    await files.storeStream("results/job_2/1", one(CONTENT), 100);
    url = await files.signedUrl("results/job_2/1", { filename: "a", mediaType: "a/b", expiresAt: NOW + 60_000 });
    expect((await get()).headers.get("etag")).not.toBe(etag);
  });

  it("resumes a partial download unless the file has changed", async () => {
    const { headers } = await get();
    const rest = await get({ range: "bytes=4-", "if-range": headers.get("etag") ?? "" });
    expect([rest.status, await rest.text()]).toEqual([206, "456789"]);
    const dated = await get({ range: "bytes=4-", "if-range": headers.get("last-modified") ?? "" });
    expect([dated.status, await dated.text()]).toEqual([206, "456789"]);
    const other = await get({ range: "bytes=4-", "if-range": '"other"' });
    expect([other.status, await other.text()]).toEqual([200, "0123456789"]);
  });

  it("rejects a range beyond the end, and returns the length of the file", async () => {
    const response = await get({ range: "bytes=10-" });
    expect(response.status).toBe(416);
    expect(response.headers.get("content-range")).toBe("bytes */10");
    expect(await response.text()).toBe("");
  });

  it("ends when a client disconnects during the download", async () => {
    await files.storeStream("results/job_1/2", one(randomBytes(30_000_000)), 30_000_000);
    url = await files.signedUrl("results/job_1/2", { filename: "a", mediaType: "a/b", expiresAt: NOW + 60_000 });
    const served = Promise.withResolvers<void>();
    server.removeAllListeners("request").once("request", (request, response) => {
      files.serveSigned(request, response).then(served.resolve, served.reject);
    });
    const client = connect(Number(new URL(url).port), "127.0.0.1");
    client.write(`GET ${url.slice(baseUrl.length)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(client, "data");
    client.destroy();
    await served.promise;
    server.on("request", (request, response) => files.serveSigned(request, response));
    expect((await get({ range: "bytes=0-9" })).status).toBe(206);
  });
});

const one = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
};
