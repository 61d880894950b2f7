import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isInstalled } from "../engines/support/task.ts";
import { addressOf } from "../support/address.ts";
import { anyform } from "./support/command.ts";
import { type Bench, fixture, openBench } from "./support/service.ts";

let bench: Bench;
let server: Server;
let origin: string;
let came: { method: string | undefined; url: string | undefined; body: Buffer }[];
beforeAll(async () => {
  came = [];
  server = createServer(async (request, response) => {
    came.push({ method: request.method, url: request.url, body: await buffer(request) });
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<title>Page</title><script>document.write('<p>written by a script</p>')</script>");
  });
  origin = await addressOf(server);
  bench = await openBench({ ANYFORM_ALLOW_ADDRESSES: "127.0.0.1" });
});
afterAll(async () => {
  server.close();
  await bench.close();
});

describe.skipIf(!isInstalled("web"))("a web page", () => {
  it("is converted by its URL", async () => {
    const file = await bench.client.convert({ page: `${origin}/report` }, "pdf", { options: { page_size: "a4" } });
    expect(
      Buffer.from(await file.bytes())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
    expect(file.job.source_format).toBe("url");
    expect(came.some(({ url }) => url === "/report")).toBe(true);
  });

  it("is converted by the command with --page", async () => {
    const env = { ANYFORM_API_KEY: bench.apiKey, ANYFORM_URL: bench.service.url };
    const run = (...args: string[]) => anyform({ cwd: bench.folder, env }, ["convert", ...args]);
    const done = await run(`${origin}/shot`, "--page", "--to", "png", "--out", join(bench.folder, "shot.png"));
    expect(done.code, done.stderr).toBe(0);
    const local = await run("a.html", "--page", "--to", "pdf");
    expect(local.code).toBe(2);
    expect(local.stderr).toContain("--page requires URLs");
  });
});

describe("a web page as an input", () => {
  it("is neither uploaded nor merged", async () => {
    const page = { page: "https://example.com/" };
    await expect(bench.client.upload(page)).rejects.toThrow("cannot be uploaded");
    await expect(bench.client.merge([page, page], "pdf")).rejects.toThrow("cannot be uploaded");
  });
});

describe("an export", () => {
  it("of a conversion in one call and of an upload is sent to its URL", async () => {
    const exportTo = { url: `${origin}/one?signature=1`, headers: { "x-order": "17" } };
    const one = await bench.client.convert(fixture("sample.png"), "webp", { exportTo });
    expect(one.job.export).toMatchObject({ location: `${origin}/one` });
    const { upload_id: uploadId } = await bench.client.upload(fixture("sample.png"));
    const two = await bench.client.convert({ uploadId }, "webp", {
      exportTo: { url: `${origin}/two`, method: "POST" },
    });
    for (const [path, method, file] of [
      ["/one?signature=1", "PUT", one],
      ["/two", "POST", two],
    ] as const) {
      const sent = () => came.find(({ url }) => url === path);
      await expect.poll(() => sent()?.method).toBe(method);
      expect(sent()?.body.equals(await file.bytes())).toBe(true);
    }
  });
});
