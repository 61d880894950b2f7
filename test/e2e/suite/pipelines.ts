import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import sharp from "sharp";
import { FormData, fetch } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PipelineView } from "../../../functions/domain/pipelines/pipeline-views.ts";
import { scratchFolder } from "../../engines/support/scratch.ts";
import { isInstalled } from "../../engines/support/task.ts";
import { addressOf } from "../../support/address.ts";
import type { ApiClient, Problem, Reply } from "../../support/services/client.ts";
import { type AccountClient, endOf, fixture, newAccount, type Target, usedBy } from "./target.ts";

type Answer = Reply<PipelineView & Problem>;

const JSON_TYPE = { "content-type": "application/json" };

/** Sends a pipeline. */
const create = (client: ApiClient, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  client.call("/api/v1/pipelines", {
    method: "POST",
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(body),
  });

/** Waits for the end of a pipeline, whatever its outcome. */
const endOfPipeline = async (client: ApiClient, id: string): Promise<PipelineView> => {
  for (let tries = 0; tries < 10; tries += 1) {
    const { body } = await client.call<PipelineView>(`/api/v1/pipelines/${id}?wait=25`);
    if (body.finished_at !== null) {
      return body;
    }
  }
  throw new Error(`The pipeline ${id} did not end.`);
};

/** Pipelines and presets: graphs of jobs, their results, their quota, and their errors. */
export const pipelineSuite = (target: () => Target): void => {
  describe("a pipeline", () => {
    const scratch = scratchFolder();
    let account: AccountClient;
    let client: ApiClient;
    beforeAll(async () => {
      account = await newAccount(target(), 1_000);
      ({ client } = account);
    });

    const uploaded = async (name = "sample.png", by = client): Promise<string> =>
      (await by.upload(fixture(name))).body.upload_id;
    const statuses = ({ steps }: PipelineView) => Object.fromEntries(steps.map(({ name, status }) => [name, status]));

    it.skipIf(!isInstalled("qpdf"))("converts, stamps, merges and encrypts, as qpdf confirms", async () => {
      const inputs = { letter: await uploaded("sample.svg"), photo: await uploaded() };
      const steps = [
        { name: "protected", operation: "encrypt", from: "all", options: { user_password: "secret" } },
        { name: "pdf", operation: "convert", from: "letter", target_format: "pdf" },
        { name: "stamped", operation: "watermark", from: "pdf", options: { watermark_text: "DRAFT" } },
        { name: "all", operation: "merge", from: ["stamped", "photo"], filename: "all.pdf" },
      ];
      const used = await usedBy(target(), account);
      const { status, body, headers } = await create(client, { inputs, steps, metadata: { order: "17" } });
      expect([status, headers.get("location")], JSON.stringify(body)).toEqual([202, `/api/v1/pipelines/${body.id}`]);
      expect(body.steps.map(({ name }) => name)).toEqual(["pdf", "stamped", "all", "protected"]);
      const ended = await endOfPipeline(client, body.id);
      expect(ended, JSON.stringify(ended.steps)).toMatchObject({
        status: "completed",
        progress: 100,
        metadata: { order: "17" },
        results: [{ step: "protected", filename: "all.pdf", media_type: "application/pdf" }],
      });
      expect(await usedBy(target(), account)).toBe(used + 1);
      const { bytes } = await client.download(ended.results[0]?.download_token ?? "");
      const path = scratch.file(bytes);
      const qpdf = (...args: string[]) => execFileSync("qpdf", [...args, path], { encoding: "utf8" });
      expect(() => execFileSync("qpdf", ["--requires-password", path])).not.toThrow();
      expect(qpdf("--password=secret", "--check")).toContain("No syntax or stream encoding errors");
      expect(qpdf("--password=secret", "--show-npages").trim()).toBe("2");
    });

    it("makes three results of one upload, and counts three requests", async () => {
      const used = await usedBy(target(), account);
      const steps = ["webp", "jpg", "avif"].map((target_format) => ({
        name: target_format,
        operation: "convert",
        from: "photo",
        target_format,
        options: { width: 40 },
      }));
      const { body } = await create(client, { inputs: { photo: await uploaded() }, steps });
      const { results, status } = await endOfPipeline(client, body.id);
      expect([status, results.map(({ step }) => step)]).toEqual(["completed", ["webp", "jpg", "avif"]]);
      for (const { download_token } of results) {
        const { bytes } = await client.download(download_token);
        expect((await sharp(bytes).metadata()).width).toBe(40);
      }
      expect(await usedBy(target(), account)).toBe(used + 1 + 3 + 3);
    });

    it("sends an event at each change of a step, and none again", async () => {
      const inputs = { photo: await uploaded() };
      const { body } = await create(client, {
        inputs,
        steps: [{ name: "a", operation: "convert", target_format: "webp" }],
      });
      const seen: string[] = [];
      let last = "";
      // Each connection has one event on AWS, and all of them on one machine.
      for (let connections = 0; connections < 20; connections += 1) {
        const response = await fetch(`${client.url}/api/v1/pipelines/${body.id}/events`, {
          headers: { authorization: `Bearer ${account.api_key}`, "last-event-id": last },
        });
        if (response.status === 204) {
          break;
        }
        for (const [, id = "", data = ""] of (await response.text()).matchAll(
          /^id: (.+)\nevent: pipeline\ndata: (.+)$/gm,
        )) {
          last = id;
          seen.push((JSON.parse(data) as PipelineView).status);
        }
      }
      expect(seen.at(-1)).toBe("completed");
      expect(new Set(seen).size).toBe(seen.length);
    });

    it("offers the results of its last steps only, and lists no other jobs", async () => {
      const steps = [
        { name: "small", operation: "resize", options: { width: 50 } },
        { name: "jpeg", operation: "convert", target_format: "jpg" },
      ];
      const { body } = await create(client, { inputs: { photo: await uploaded() }, steps });
      const { steps: ended } = await endOfPipeline(client, body.id);
      const [hidden, shown] = await Promise.all(ended.map(({ job_id }) => endOf(client, job_id)));
      expect([hidden?.result, hidden?.pipeline_id]).toEqual([null, body.id]);
      expect(shown).toMatchObject({ status: "completed", result: { media_type: "image/jpeg" } });
      const { body: list } = await client.call<{ jobs: { id: string }[] }>("/api/v1/convert?limit=2");
      expect(list.jobs.map(({ id }) => id)).toContain(shown?.id);
      expect(list.jobs.map(({ id }) => id)).not.toContain(hidden?.id);
      const { body: pipelines } = await client.call<{ pipelines: PipelineView[] }>("/api/v1/pipelines?limit=1");
      expect(pipelines.pipelines.map(({ id }) => id)).toEqual([body.id]);
    });

    it("fails with the step that fails: dependants fail with its error, other branches complete", async () => {
      const broken = await client.upload({
        name: "broken.png",
        bytes: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
      });
      const inputs = { broken: broken.body.upload_id, photo: await uploaded() };
      const steps = [
        { name: "bad", operation: "convert", from: "broken", target_format: "jpg" },
        { name: "small", operation: "resize", from: "bad", options: { width: 10 } },
        { name: "both", operation: "merge", from: ["small", "photo"] },
        { name: "good", operation: "convert", from: "photo", target_format: "webp" },
      ];
      const { body } = await create(client, { inputs, steps });
      const ended = await endOfPipeline(client, body.id);
      expect([ended.status, statuses(ended)]).toEqual([
        "failed",
        { bad: "failed", small: "failed", both: "failed", good: "completed" },
      ]);
      const errors = new Map(ended.steps.map(({ name, error }) => [name, error]));
      for (const dependant of ["small", "both"]) {
        expect(errors.get(dependant)?.code).toBe(errors.get("bad")?.code);
        expect(errors.get(dependant)?.detail).toMatch(/^Step bad: /);
      }
      expect(ended.results.map(({ step }) => step)).toEqual(["good"]);
    });

    it("counts all results or none when the quota is nearly used up", async () => {
      const small = await newAccount(target(), 3);
      const photo = await uploaded("sample.png", small.client);
      const steps = ["webp", "jpg", "gif"].map((target_format) => ({
        name: target_format,
        operation: "convert",
        from: "photo",
        target_format,
      }));
      const refused = await create(small.client, { inputs: { photo }, steps });
      expect([refused.status, refused.body.code]).toEqual([429, "quota_exceeded"]);
      expect(refused.body.detail).toContain("Fewer than 3 requests");
      expect(await usedBy(target(), small)).toBe(1);
      const { status, body } = await create(small.client, { inputs: { photo }, steps: steps.slice(0, 2) });
      expect(status).toBe(202);
      expect(await usedBy(target(), small)).toBe(3);
      expect((await endOfPipeline(small.client, body.id)).status).toBe("completed");
    });

    it("creates and counts one pipeline for concurrent requests with one idempotency key", async () => {
      const small = await newAccount(target(), 100);
      const body = {
        inputs: { photo: await uploaded("sample.png", small.client) },
        steps: [{ name: "jpeg", operation: "convert", target_format: "jpg" }],
      };
      const headers = { "idempotency-key": crypto.randomUUID() };
      const answers = await Promise.all([1, 2, 3].map(() => create(small.client, body, headers)));
      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
      expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === "true")).toHaveLength(2);
      expect(await usedBy(target(), small)).toBe(2);
      const other = await create(small.client, { ...body, metadata: { a: "b" } }, headers);
      expect([other.status, other.body.code]).toEqual([422, "idempotency_mismatch"]);
    });

    it("cancels all steps, and starts no further one", async () => {
      const steps = [
        { name: "one", operation: "convert", target_format: "avif" },
        { name: "two", operation: "convert", target_format: "webp" },
        { name: "three", operation: "convert", target_format: "jpg" },
      ];
      const { body } = await create(client, { inputs: { photo: await uploaded() }, steps });
      const path = `/api/v1/pipelines/${body.id}`;
      const { status, body: cancelled } = await client.call<PipelineView>(`${path}/cancel`, { method: "POST" });
      expect([status, cancelled.finished_at]).toEqual([200, expect.any(String)]);
      expect(["cancelled", "completed"]).toContain(cancelled.status);
      const { body: after } = await client.call<PipelineView>(path);
      // The results of completed steps that others needed are deleted soon.
      const ended = (pipeline: PipelineView) =>
        Object.values(statuses(pipeline)).map((each) => (each === "expired" ? "completed" : each));
      expect(ended(after)).toEqual(ended(cancelled));
      expect((await client.call(path, { method: "DELETE" })).status).toBe(204);
      expect((await client.call(path)).status).toBe(404);
      expect((await client.call(`/api/v1/convert/${body.steps[0]?.job_id}`)).status).toBe(404);
    });

    it("is not found for other accounts", async () => {
      const other = await newAccount(target(), 10);
      const steps = [{ name: "jpeg", operation: "convert", target_format: "jpg" }];
      const { body } = await create(client, { inputs: { photo: await uploaded() }, steps });
      for (const [path, method] of [
        ["", "GET"],
        ["/cancel", "POST"],
        ["", "DELETE"],
      ] as const) {
        const { status } = await other.client.call(`/api/v1/pipelines/${body.id}${path}`, { method });
        expect([path, method, status]).toEqual([path, method, 404]);
      }
      expect((await endOfPipeline(client, body.id)).status).toBe("completed");
    });

    const photoStep = { name: "a", operation: "convert", from: "photo", target_format: "jpg" };
    const invalid: [string, object[], string, string][] = [
      ["an unknown source", [{ ...photoStep, from: "phot" }], "/steps/0/from", "no input or step phot"],
      [
        "a cycle",
        [photoStep, { ...photoStep, name: "b", from: "c" }, { ...photoStep, name: "c", from: "b" }],
        "/steps/1/from",
        "cycle: b, c",
      ],
      ["a name that is used twice", [photoStep, photoStep], "/steps/1/name", "have the name a"],
      ["an unknown operation", [{ ...photoStep, operation: "watermrak" }], "/steps/0/operation", "watermark"],
      ["an impossible conversion", [{ ...photoStep, target_format: "mp3" }], "/steps/0", "steps.a: "],
      [
        "an invalid option",
        [photoStep, { name: "b", operation: "compress", from: "a", options: { quality: 200 } }],
        "/steps/1/options/quality",
        "steps.b.options.quality: ",
      ],
      [
        "a forgotten option",
        [{ name: "a", operation: "encrypt", from: "photo" }],
        "/steps/0/options",
        "user_password, owner_password",
      ],
      ["a missing target", [{ name: "a", operation: "convert" }], "/steps/0/target_format", "needs a `target_format`"],
      ["several inputs of one", [{ ...photoStep, from: ["photo", "photo"] }], "/steps/0/from", "`merge` or `archive`"],
      [
        "too many steps",
        Array.from({ length: 21 }, (_, index) => ({ ...photoStep, name: `s${index}` })),
        "/steps",
        "20",
      ],
      [
        "too many results",
        Array.from({ length: 11 }, (_, index) => ({ ...photoStep, name: `s${index}` })),
        "/steps",
        "can have 10 results",
      ],
      ["a result that nothing reads", [{ ...photoStep, result: false }], "/steps/0/result", "No step reads"],
    ];
    it("is rejected before anything is counted, with a pointer to what is wrong", async () => {
      const small = await newAccount(target(), 10);
      const inputs = { photo: await uploaded("sample.png", small.client) };
      for (const [what, steps, pointer, detail] of invalid) {
        const { status, body } = await create(small.client, { inputs, steps });
        expect([what, status >= 400 && status < 500]).toEqual([what, true]);
        const errors = (body.errors ?? []).map((error) => [error.pointer, error.detail.includes(detail)]);
        expect([what, errors], JSON.stringify(body)).toEqual([what, expect.arrayContaining([[pointer, true]])]);
      }
      expect(await usedBy(target(), small)).toBe(1);
    });

    describe("with a webhook", () => {
      let server: Server;
      let origin: string;
      const came: { type: string; data: PipelineView }[] = [];
      beforeAll(async () => {
        server = createServer(async (request, response) => {
          came.push(JSON.parse(await text(request)));
          response.writeHead(204).end();
        });
        origin = await addressOf(server);
      });
      afterAll(() => server.close());

      it("announces the end once, for all steps together", async (context) => {
        context.skip(!target().reachesTests, "The service cannot connect to this machine.");
        const steps = [
          { name: "small", operation: "resize", options: { width: 20 } },
          { name: "jpeg", operation: "convert", target_format: "jpg" },
        ];
        const wanted = { inputs: { photo: await uploaded() }, steps, webhook_url: `${origin}/hook` };
        const { body } = await create(client, wanted);
        await expect.poll(() => came.length).toBe(1);
        expect(came).toMatchObject([
          { type: "pipeline.completed", data: { id: body.id, results: [{ step: "jpeg" }] } },
        ]);
        const { body: list } = await client.call<{ messages: { job_id: string }[] }>("/api/v1/webhooks");
        expect(list.messages.filter(({ job_id }) => job_id === body.id)).toHaveLength(1);
        expect(came).toHaveLength(1);
      });
    });
  });

  describe("steps of a conversion", () => {
    it("convert the upload, then each result, and the response is the last job", async () => {
      const account = await newAccount(target(), 100);
      const { body: upload } = await account.client.upload(fixture("sample.png"));
      const body = {
        upload_id: upload.upload_id,
        target_format: "jpg",
        options: { width: 60 },
        steps: [
          { operation: "rotate", options: { rotate: 90 } },
          { operation: "convert", target_format: "webp" },
        ],
        filename: "turned.webp",
      };
      const { body: job } = await account.client.convert(body, { prefer: "wait=25" });
      const ended = await endOf(account.client, job.id);
      expect(ended, JSON.stringify(ended)).toMatchObject({ status: "completed", result: { filename: "turned.webp" } });
      const { bytes } = await account.client.download(ended.result?.download_token ?? "");
      expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", height: 60 });
      expect(await usedBy(target(), account)).toBe(3);
    });

    it("work in one call with the file itself, and report errors with pointers", async () => {
      const { client } = target();
      const sent = (steps: object[]) => {
        const form = new FormData();
        form.set("steps", JSON.stringify(steps));
        form.set(
          "file",
          new File([Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="5"/>')], "a.svg"),
        );
        return client.call<Problem>("/api/v1/convert", {
          method: "POST",
          headers: { accept: "application/json" },
          body: form,
        });
      };
      const steps = [
        { operation: "convert", target_format: "png" },
        { operation: "convert", target_format: "jpg" },
      ];
      const { status, body } = await sent(steps);
      expect([status, body], JSON.stringify(body)).toMatchObject([200, { status: "completed", target_format: "jpg" }]);
      const refused = await sent([{ operation: "convert", target_format: "png" }, { operation: "resize" }]);
      expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([422, "/steps/1/options"]);
    });

    it("are cancelled together with the last job", async () => {
      const { client } = target();
      const { body: upload } = await client.upload(fixture("sample.png"));
      const steps = [
        { operation: "convert", target_format: "webp" },
        { operation: "convert", target_format: "jpg" },
      ];
      const wanted = { upload_id: upload.upload_id, target_format: "avif", steps };
      const { body: job } = await client.convert(wanted);
      const cancelled = await client.call(`/api/v1/convert/${job.id}/cancel`, { method: "POST" });
      expect([cancelled.status, cancelled.body]).toMatchObject([200, { pipeline_id: job.pipeline_id }]);
      const ended = await endOfPipeline(client, job.pipeline_id ?? "");
      expect(ended.steps.at(-1)?.status).toMatch(/cancelled|completed/);
    });
  });

  describe("a preset", () => {
    const save = (client: ApiClient, name: string, body: object) =>
      client.call<Problem>(`/api/v1/presets/${name}`, {
        method: "PUT",
        headers: JSON_TYPE,
        body: JSON.stringify(body),
      });

    it("sets the target and the options of conversions, unless the request does", async () => {
      const { client } = await newAccount(target(), 100);
      const saved = await save(client, "web-photo", { target_format: "webp", options: { width: 30, quality: 50 } });
      expect(saved.status, JSON.stringify(saved.body)).toBe(200);
      const { body: upload } = await client.upload(fixture("sample.png"));
      const by = { upload_id: upload.upload_id, preset: "web-photo" };
      const plain = await client.convert(by, { prefer: "wait=25" });
      expect(plain.body).toMatchObject({ target_format: "webp", options: { width: 30, quality: 50 } });
      const own = await client.convert({ ...by, target_format: "jpg", options: { width: 20 } });
      expect(own.body).toMatchObject({ target_format: "jpg", options: { width: 20, quality: 50 } });
      const form = new FormData();
      form.set("preset", "web-photo");
      form.set(
        "file",
        new File([Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="5"/>')], "a.svg"),
      );
      const headers = { accept: "application/json" };
      const oneCall = await client.call("/api/v1/convert", { method: "POST", headers, body: form });
      expect(oneCall.body).toMatchObject({ target_format: "webp", options: { width: 30 } });
      const steps = [{ name: "a", operation: "convert", preset: "web-photo", options: { width: 10 } }];
      const { body } = await create(client, { inputs: { photo: upload.upload_id }, steps });
      expect(body.steps[0]?.target_format).toBe("webp");
    });

    it("is listed, returned, replaced and deleted", async () => {
      const { client } = await newAccount(target(), 100);
      await save(client, "two", { target_format: "pdf" });
      await save(client, "one", { steps: [{ operation: "encrypt", options: { user_password: "x" } }] });
      await save(client, "two", { target_format: "png" });
      const { body } = await client.call<{ presets: object[] }>("/api/v1/presets");
      expect(body.presets).toMatchObject([{ name: "one" }, { name: "two", target_format: "png" }]);
      expect((await client.call("/api/v1/presets/one")).body).toMatchObject({ steps: [{ operation: "encrypt" }] });
      expect((await client.call("/api/v1/presets/one", { method: "DELETE" })).status).toBe(204);
      expect((await client.call("/api/v1/presets/one", { method: "DELETE" })).status).toBe(404);
      expect((await client.call("/api/v1/presets/one")).status).toBe(404);
    });

    it("is rejected if it is unknown, empty, or has no target", async () => {
      const { client } = await newAccount(target(), 100);
      const { body: upload } = await client.upload(fixture("sample.png"));
      const unknown = await client.convert({ upload_id: upload.upload_id, preset: "nope" });
      expect([unknown.status, unknown.body.errors?.[0]?.pointer]).toEqual([400, "/preset"]);
      expect((await save(client, "empty", {})).status).toBe(400);
      expect((await save(client, "-bad", { target_format: "pdf" })).status).toBe(400);
      await save(client, "options", { options: { width: 5 } });
      const missing = await client.convert({ upload_id: upload.upload_id, preset: "options" });
      expect([missing.status, missing.body.errors?.[0]?.pointer]).toEqual([400, "/target_format"]);
    });
  });
};
