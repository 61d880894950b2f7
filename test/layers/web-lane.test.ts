import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { context } from "../../functions/context.ts";
import { engineIds } from "../../functions/domain/conversions/engines.ts";
import type { Options } from "../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import type { Job } from "../../functions/domain/jobs/job.ts";
import { handler } from "../../functions/events/convert-page.ts";
import { poppler } from "../engines/support/documents/pdf.ts";
import { isInstalled } from "../engines/support/task.ts";
import { addressOf } from "../support/address.ts";
import { useEmulators } from "../support/emulators/emulator-suite.ts";
import { type LambdaEmulator, startLambda } from "../support/emulators/lambda.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { jobRecord, quotaRecord } from "../support/world/records.ts";

/**
 * Web pages as on AWS: the function of the queue calls the entry point of the image, which has no credentials, in a new
 * process for each attempt. Browser, proxy and adapters are real; S3, DynamoDB and Lambda are emulated.
 */

const routes = planRoutes(new Set(engineIds));
useEmulators();

let lambda: LambdaEmulator;
let server: Server;
let origin = "";
const folder = temporaryFolder();

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/file") {
      response.writeHead(200, { "content-type": "application/zip" }).end("PK");
      return;
    }
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      "<title>t</title><p id=a>before<script>a.textContent = ['made', 'by', 1 + 1, 'scripts'].join(' ')</script>",
    );
  });
  origin = await addressOf(server);
  lambda = await startLambda({
    ANYFORM_FUNCTION: "open-page",
    // As if the page were public. The emulator of S3 is reached without the proxy.
    ANYFORM_ALLOW_ADDRESSES: new URL(origin).host,
  });
  process.env.AWS_ENDPOINT_URL_LAMBDA = lambda.endpoint;
  process.env.ANYFORM_PAGE_FUNCTION = "open-page";
});
afterAll(async () => {
  lambda.stop();
  server.close();
  await folder.remove();
});

const acceptedJob = async (from: "html" | "url", content: string, options: Options = {}): Promise<Job> => {
  const route = routes.find(from, "pdf", Object.keys(options));
  const { steps, lane } = route ?? { steps: [], lane: "fast" };
  const job = jobRecord({ sourceFormat: from, targetFormat: "pdf", steps, lane, options });
  const { jobs, files } = context();
  await files.storeStream(job.inputKey, contentOf(content), 1e6);
  await jobs.createJob(job, quotaRecord(job.accountId, 1));
  return job;
};

async function* contentOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const shortcut = (url: string): string => `[InternetShortcut]\r\nURL=${url}\r\n`;

/** @returns the job after its message has been delivered, and the answer to the queue */
const delivered = async ({ id, accountId, lane }: Job) => {
  const body = JSON.stringify({ job_id: id, account_id: accountId, lane });
  const answer = await handler({ Records: [{ messageId: `m-${id}`, body }] } as never);
  return { answer, job: await context().jobs.getJob(id) };
};

const textOf = async (job: Job | undefined): Promise<string> => {
  const path = await context().files.fetch(job?.result?.key ?? "", folder.path);
  return poppler("pdftotext", path ?? join(folder.path, "missing"), "-") ?? "";
};

describe.skipIf(!isInstalled("chromium"))("the lane of web pages", () => {
  test("is that of URLs, and of files whose scripts run", () => {
    expect(routes.find("url", "pdf")?.lane).toBe("web");
    expect(routes.find("url", "png")?.lane).toBe("web");
    expect(routes.find("html", "pdf", ["javascript"])?.lane).toBe("web");
    expect(routes.find("html", "pdf")?.lane).toBe("documents");
  });

  test("prints a page with its scripts, in a machine of the job's attempt, and leaves no copy", async () => {
    const accepted = await acceptedJob("url", shortcut(`${origin}/`));
    const { answer, job } = await delivered(accepted);
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(job).toMatchObject({ status: "completed", attempt: 1 });
    expect(await textOf(job)).toContain("made by 2 scripts");
    expect(lambda.calls.at(-1)).toEqual({
      path: "/2015-03-31/functions/open-page/invocations",
      tenant: `${accepted.id}-1`,
    });
    expect(await context().files.bytesOf(`${job?.result?.key}.page`)).toBeUndefined();
  });

  test("runs the scripts of a file, which has no network", async () => {
    const html = `<p id=a>x<script>a.textContent = "ran"; fetch("${origin}/").then(() => { a.textContent = "reached"; })</script>`;
    const { job } = await delivered(await acceptedJob("html", html, { javascript: true }));
    expect(job).toMatchObject({ status: "completed" });
    expect(await textOf(job)).toMatch(/^ran\s*$/);
  });

  test.each([
    ["a private address", () => "http://127.0.0.1:8081/", "page_refused"],
    ["the metadata of the machine", () => "http://169.254.169.254/latest/meta-data/", "page_refused"],
    ["a file", () => `${origin}/file`, "page_unavailable"],
  ])("fails for %s with the error of the page", async (_, url, code) => {
    const { answer, job } = await delivered(await acceptedJob("url", shortcut(url())));
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(job).toMatchObject({ status: "failed", error: { code } });
  });

  test("returns the job to the queue when the machine does not start", async () => {
    const accepted = await acceptedJob("url", shortcut(`${origin}/`));
    await context().files.remove([accepted.inputKey]);
    const { answer, job } = await delivered(accepted);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: `m-${accepted.id}` }] });
    expect(job).toMatchObject({ status: "queued" });
  });
});
