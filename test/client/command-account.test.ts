import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import sharp from "sharp";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { anyform, start } from "./support/command.ts";
import { commandBench } from "./support/command-bench.ts";
import { fixture } from "./support/service.ts";

const at = commandBench();

const printed = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await anyform(at.shell, args);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.toString();
};

describe("anyform download", () => {
  it("saves the result of a job under its name, in a folder, in a file or to standard output", async () => {
    const { job, size } = await at.bench.client.convert(fixture("sample.png"), "jpg", { filename: "result.jpg" });
    expect(await printed("download", job.id)).toBe(`${job.id} -> result.jpg (${size} B)\n`);
    expect((await sharp(join(at.shell.cwd, "result.jpg")).metadata()).format).toBe("jpeg");
    const again = await anyform(at.shell, ["download", job.id]);
    expect([again.code, again.stderr]).toEqual([1, "anyform: output_exists: result.jpg already exists.\n"]);
    expect(JSON.parse(await printed("download", job.id, "--force", "--json"))).toMatchObject({
      output: "result.jpg",
      size,
    });
    await printed("download", job.id, "--out", "new/", "--quiet");
    await printed("download", job.id, "--out", "b.jpg");
    const piped = await anyform(at.shell, ["download", job.id, "--out", "-"]);
    expect(piped.stdout.equals(readFileSync(join(at.shell.cwd, "b.jpg")))).toBe(true);
    expect(readdirSync(at.shell.cwd).sort()).toEqual(["b.jpg", "new", "result.jpg"]);
  });

  it("reports a job that does not exist or has failed", async () => {
    const missing = await anyform(at.shell, ["download", "job_none"]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("not_found: ")]);
    const input = { content: Buffer.from("not json"), name: "a.json" };
    const error = await at.bench.client.convert(input, "csv").catch((reason: unknown) => reason);
    const [job] = (await at.bench.client.jobs({ limit: 1, status: "failed" })).jobs;
    const failed = await anyform(at.shell, ["download", job?.id ?? ""]);
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringContaining(String((error as { code: string }).code)),
    ]);
    expect((await anyform(at.shell, ["download"])).code).toBe(2);
  });
});

describe("anyform usage and keys", () => {
  it("show the requests of a month by day", async () => {
    await at.bench.client.upload(fixture("sample.png"));
    const { quota } = await at.bench.client.account();
    const shown = await printed("usage");
    const count = (value: number): string => value.toLocaleString("en-US");
    // The owner of a machine is unlimited.
    expect(quota).toMatchObject({ limit: null, remaining: null });
    expect(shown).toContain(`${count(quota.used)} requests (unlimited)`);
    expect(shown).not.toContain("remaining");
    expect(await printed("account")).toContain(`${count(quota.used)} this month, unlimited`);
    expect(shown).toMatch(/^date +upload +convert +download +completed +failed +cancelled$/m);
    const use = JSON.parse(await printed("usage", "--json"));
    expect([use.used, use.days.at(-1).upload > 0]).toEqual([quota.used, true]);
    const invalid = await anyform(at.shell, ["usage", "--month", "2020-01"]);
    expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining("`month` must be a month from")]);
  });

  it("show the jobs of a month by key, formats and outcome", async () => {
    await at.bench.client.convert(fixture("sample.png"), "gif");
    const shown = await printed("usage", "--details");
    expect(shown).toMatch(/^date +key +formats +outcome +jobs +in +out$/m);
    expect(shown).toMatch(/^[\d-]+ +key_\w+ +png -> gif +completed +1 +[\d.]+ k?B +[\d.]+ k?B$/m);
    const { rows } = JSON.parse(await printed("usage", "--details", "--json"));
    expect(rows).toContainEqual(expect.objectContaining({ target_format: "gif", status: "completed" }));
    expect((await anyform(at.shell, ["usage", "--details", "--month", "2020-01"])).code).toBe(2);
  });

  it("list the requests that were refused, and show one with its response", async () => {
    await at.bench.client.status("job_none").catch(() => undefined);
    const [line = ""] = (await printed("requests", "--error", "not_found", "--limit", "1")).split("\n");
    expect(line).toMatch(/^req_\w+ +\S+Z +404 +GET \/api\/v1\/convert\/job_none\/status +not_found +\d+ ms$/);
    const [id = ""] = line.split(" ");
    const shown = await printed("requests", id);
    expect(shown).toContain("operation");
    expect(shown).toMatch(/"code": ?"not_found"/);
    expect(JSON.parse(await printed("requests", id, "--json"))).toMatchObject({ id, status: 404 });
    const { requests } = JSON.parse(await printed("requests", "--status", "2xx", "--json"));
    expect(requests.every(({ status }: { status: number }) => status < 300)).toBe(true);
    const invalid = await anyform(at.shell, ["requests", "--status", "404"]);
    expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining("must be one of 2xx, 3xx, 4xx, 5xx")]);
  });

  it("show the start of the key in use, where it is from and where keys are managed", async () => {
    const shown = await printed("keys");
    expect(shown).toContain(`key      ${at.bench.apiKey.slice(0, 14)}… (live)`);
    expect(shown).toContain("from     ANYFORM_API_KEY");
    expect(shown).toContain(`Manage keys, their permissions and expiry at ${at.bench.service.url}/keys`);
    const json = await printed("keys", "--json");
    expect(JSON.parse(json)).toMatchObject({ prefix: at.bench.apiKey.slice(0, 14), kind: "live", plan: "unlimited" });
    expect(shown + json).not.toContain(at.bench.apiKey.slice(0, 20));
  });
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A local receiver of webhooks that answers with these statuses, and then with 204. */
const receiver = async (statuses: number[]) => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(statuses.shift() ?? 204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { received, url: `http://127.0.0.1:${port}/hook`, close: () => server.close() };
};

/** Starts `webhooks listen`, and waits until it listens. */
const listening = async (...args: string[]): Promise<{ child: ChildProcess; output: () => string }> => {
  const child = start(at.shell, ["webhooks", "listen", "--interval", "1", ...args]);
  let output = "";
  let errors = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  await expect.poll(() => errors).toContain("Listening for events");
  return { child, output: () => output };
};

const stop = async (child: ChildProcess): Promise<number | null> => {
  const closed = once(child, "close");
  child.kill("SIGINT");
  return (await closed)[0];
};

describe("anyform webhooks", () => {
  it("forwards the event of each job that ends, signed as by the service, until it is accepted", async () => {
    const before = await at.bench.client.convert(fixture("sample.png"), "jpg");
    const secret = (await printed("webhooks", "secret")).trim();
    const hook = await receiver([500]);
    const { child, output } = await listening("--forward", hook.url);
    try {
      const { job } = await at.bench.client.convert(fixture("sample.png"), "webp");
      await expect.poll(() => hook.received.length).toBe(2);
      const [first, second] = hook.received;
      expect(first?.body).toBe(second?.body);
      const headers = Object.fromEntries(
        Object.entries(second?.headers ?? {}).map(([name, value]) => [name, String(value)]),
      );
      expect(new Webhook(secret).verify(second?.body ?? "", headers)).toEqual({
        type: "job.completed",
        timestamp: job.finished_at,
        data: await at.bench.client.status(job.id),
      });
      expect(headers["webhook-id"]).toBe(job.id.replace("job_", "msg_"));
      await expect
        .poll(output)
        .toMatch(
          new RegExp(`^job\\.completed {2}${job.id} {2}png -> webp {2}status 204 \\(\\d+ ms, attempt 2\\)$`, "m"),
        );
      expect(output()).not.toContain(before.job.id);
      expect(await stop(child)).toBe(0);
    } finally {
      hook.close();
      child.kill("SIGKILL");
    }
  });

  it("has the event of a job that was already running", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
    const create = { width: 4_000, height: 4_000, channels: 3, background: "white", noise } as const;
    const content = await sharp({ create }).jpeg().toBuffer();
    const running = at.bench.client.convert({ content, name: "slow.jpg" }, "avif", { options: { lossless: true } });
    const ended = running.catch((error: unknown) => error);
    const newest = async () => (await at.bench.client.jobs({ limit: 1, targetFormat: "avif" })).jobs[0];
    await expect.poll(newest).toBeDefined();
    const { child, output } = await listening();
    try {
      const id = (await newest())?.id ?? "";
      await at.bench.client.cancel(id);
      await expect.poll(output).toMatch(new RegExp(`^job\\.(?:cancelled|completed) {2}${id} {2}jpg -> avif$`, "m"));
      expect(await stop(child)).toBe(0);
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
  });

  it("prints only the events of the requested types, also without a URL", async () => {
    const { child, output } = await listening("--events", "job.failed", "--json");
    try {
      await at.bench.client.convert(fixture("sample.png"), "jpg");
      const input = { content: Buffer.from("not json"), name: "a.json" };
      await at.bench.client.convert(input, "csv").catch(() => undefined);
      const [job] = (await at.bench.client.jobs({ limit: 1, status: "failed" })).jobs;
      await expect.poll(output).toContain("job.failed");
      const lines = output().trim().split("\n");
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        { id: job?.id.replace("job_", "msg_"), event: expect.objectContaining({ type: "job.failed" }), delivery: null },
      ]);
      expect(await stop(child)).toBe(0);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("manages endpoints, and reports a test message that is not accepted", async () => {
    const url = "http://10.0.0.1/hook";
    const added = await printed("webhooks", "add", url, "--events", "job.failed, quota.reached");
    const [, id = ""] = /^(whe_\w+) {2}/.exec(added) ?? [];
    expect(added).toContain(`${id}  ${url}  job.failed,quota.reached`);
    const tested = await anyform(at.shell, ["webhooks", "test", id]);
    expect([tested.code, tested.stdout.toString()]).toEqual([1, expect.stringContaining("private network")]);
    expect(tested.stderr).toContain("The endpoint did not accept the test message.");
    expect(await printed("webhooks", "disable", id)).toContain("disabled");
    expect(JSON.parse(await printed("webhooks", "enable", id, "--json"))).toMatchObject({ id, enabled: true });
    await printed("webhooks", "remove", id);
    expect(await printed("webhooks", "endpoints")).not.toContain(id);
    const unknown = await anyform(at.shell, ["webhooks", "add", url, "--events", "none"]);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("`events[0]` must be one of")]);
  });

  it.each([
    [
      ["webhooks"],
      "Use `anyform webhooks` with listen, secret, endpoints, add URL, test ID, enable ID, disable ID or remove ID.",
    ],
    [
      ["webhooks", "listen", "--events", "job.done"],
      'Invalid --events "job.done": must be one or more of job.completed',
    ],
    [
      ["webhooks", "listen", "--forward", "localhost:3000"],
      'Invalid --forward "localhost:3000": must be a URL such as',
    ],
  ])("rejects %j", async (args, message) => {
    const { code, stderr } = await anyform(at.shell, args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
