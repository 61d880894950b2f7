import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { addressOf } from "../address.ts";
import type { Visitor } from "./browser.ts";
import { fixture, must, type Scene, send, signInToFree } from "./dashboard.ts";

/** An account with sample data for every page. */
export interface Furnished {
  readonly email: string;
  /** A complete API key of the account. */
  readonly key: string;
  readonly jobs: readonly string[];
  /** The receiver of the account's webhook. */
  readonly receiver: Server;
}

/** Files and their target formats; the last file is rejected when it is read. */
const CONVERSIONS = [
  ["sample.heic", "jpg"],
  ["sample.csv", "json"],
  ["sample.docx", "html"],
  ["sample.png", "webp"],
  ["broken.png", "jpg"],
] as const;

/** Signs in, creates keys, a storage and a preset, converts files, and sets a webhook. Requires `ANYFORM_ALLOW_ADDRESSES=127.0.0.1`. */
export const furnish = async (scene: Scene, visitor: Visitor, email?: string): Promise<Furnished> => {
  const address = await signInToFree(scene, visitor, email);
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  const webhook_url = await addressOf(receiver);
  must((await send(visitor, "session/account", { webhook_url })).status, 200);
  const storage = { type: "webdav", endpoint: `${webhook_url}/files/` };
  must((await send(visitor, "storages/archive", storage, "PUT")).status, 200);
  const preset = { target_format: "webp", options: { width: 1_600, quality: 75 } };
  must((await send(visitor, "presets/web-photo", preset, "PUT")).status, 200);
  const { body } = await send<{ readonly key: string }>(visitor, "keys", { name: "Website" });
  must((await send(visitor, "keys", { name: "Nightly tests", kind: "test" })).status, 201);
  const limited = { name: "Website form", monthly_limit: 1_000, allowed_origins: ["https://shop.example.com"] };
  must((await send(visitor, "keys", limited)).status, 201);
  const endpoint = {
    url: `${webhook_url}/on-call`,
    description: "On-call channel",
    events: ["job.failed", "quota.reached"],
  };
  must((await send(visitor, "webhook-endpoints", endpoint)).status, 201);
  const colleague = { email: "colleague@example.com", role: "developer", locale: "en" };
  must((await send(visitor, "session/members", colleague)).status, 201);
  const jobs: string[] = [];
  for (const [name, target] of CONVERSIONS) {
    jobs.push(await convert(visitor, name, target));
  }
  return { email: address, key: body.key, jobs, receiver };
};

/** Uploads a file of test/fixtures and converts it. @returns the job, which has most likely ended */
export const convert = (visitor: Visitor, name: string, target: string): Promise<string> =>
  convertBytes(visitor, { name, bytes: bytesOf(name) }, { target, waitSeconds: 25 });

const bytesOf = (name: string): Buffer =>
  name === "broken.png" ? readFileSync(fixture("sample.png")).subarray(0, 200) : readFileSync(fixture(name));

/** The same for any file. @returns the job, after waiting for up to `waitSeconds` */
export const convertBytes = async (
  visitor: Visitor,
  { name, bytes: buffer }: { readonly name: string; readonly bytes: Buffer },
  { target, waitSeconds = 0 }: { readonly target: string; readonly waitSeconds?: number },
): Promise<string> => {
  const { context, url } = visitor;
  const upload = await context.request.post(`${url}/api/v1/upload`, {
    headers: { origin: url, "sec-fetch-site": "same-origin" },
    multipart: { file: { name, mimeType: "application/octet-stream", buffer } },
  });
  const { upload_id } = (await upload.json()) as { upload_id: string };
  const { body } = await send<{ readonly id: string }>(visitor, `convert?wait=${waitSeconds}`, {
    upload_id,
    target_format: target,
  });
  return body.id;
};
