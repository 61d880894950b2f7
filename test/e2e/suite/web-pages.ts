import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobView } from "../../../functions/domain/jobs/job-views.ts";
import { isInstalled } from "../../engines/support/task.ts";
import { addressOf } from "../../support/address.ts";
import { newAccount, type Target, usedBy } from "./target.ts";

/** A web page by its URL: on one machine in the sandbox, on AWS in a machine without permissions. */
export const webPageSuite = (target: () => Target): void => {
  describe("a web page", () => {
    let server: Server;
    let origin = "";
    beforeAll(async () => {
      server = createServer((_, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end("<title>t</title><p id=a>before<script>a.textContent = `after`</script>");
      });
      origin = await addressOf(server);
    });
    afterAll(() => server.close());

    it.skipIf(!isInstalled("chromium"))(
      "is converted where the service offers it, and counts like a conversion",
      async () => {
        const account = await newAccount(target(), 100);
        const { client } = account;
        const { status } = await client.call("/api/v1/formats/url/pdf");
        const before = await usedBy(target(), account);
        const answer = await client.convert({ url: `${origin}/`, target_format: "pdf" });
        if (status !== 200) {
          expect([answer.status, answer.body.code]).toEqual([422, "unsupported_conversion"]);
          expect((await usedBy(target(), account)) - before).toBe(0);
          return;
        }
        let job: JobView = answer.body;
        while (job.status === "queued" || job.status === "processing") {
          ({ body: job } = await client.call<JobView>(`/api/v1/convert/${job.id}/status?wait=25`));
        }
        expect(job).toMatchObject({ status: "completed", warnings: [] });
        expect((await usedBy(target(), account)) - before).toBe(1);
      },
    );
  });
};
