import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { LocalService } from "../services/local-service.ts";
import type { Visitor } from "./browser.ts";

/** What people do on the pages, and the emails they get: for tests, and for commands that open the pages. */

export interface Scene {
  readonly service: () => LocalService;
}

/** @returns the URL of the service with the host name that passkeys require, without a trailing slash */
export const browserUrl = ({ url }: Pick<LocalService, "url">): string => url.replace("//127.0.0.1:", "//localhost:");

/** @returns the paths of all pages */
export const pagePaths = (): readonly string[] => [
  ...[...readFileSync(join(root, "dashboard/pages.ts"), "utf8").matchAll(/path: "([^"]+)"/g)].map(
    ([, path]) => path ?? "",
  ),
  "/convert/heic-to-jpg",
];

const root = join(import.meta.dirname, "../../..");

/** Milliseconds until an email must be in the outbox. */
const MAIL_MS_MAX = 60_000;
const MAIL_PAUSE_MS = 50;

let people = 0;

/** @returns an unused email address */
export const newAddress = (): string => {
  people += 1;
  return `person-${people}-${crypto.randomUUID().slice(0, 8)}@example.com`;
};

/** @returns the last code that was sent to the email address, from the service's outbox */
export const codeFor = (scene: Scene, email: string, sent = 1): Promise<string> =>
  inMail(scene, email, { pattern: /\b\d{6}\b/, sent });

/** @returns the code of the invitation that was sent to the email address */
export const invitationFor = (scene: Scene, email: string): Promise<string> =>
  inMail(scene, email, { pattern: /\bacc_\w+\.\w+/, sent: 1 });

const inMail = async (
  { service }: Scene,
  email: string,
  { pattern, sent }: { readonly pattern: RegExp; readonly sent: number },
): Promise<string> => {
  const folder = join(service().dataDir, "outbox");
  const codes = async (): Promise<readonly string[]> => {
    const names = await readdir(folder).catch(() => []);
    const mails = await Promise.all(names.sort().map((name) => readFile(join(folder, name), "utf8")));
    return mails.filter((mail) => mail.includes(email)).flatMap((mail) => pattern.exec(bodyOf(mail))?.[0] ?? []);
  };
  const end = Date.now() + MAIL_MS_MAX;
  while ((await codes()).length < sent) {
    if (Date.now() > end) {
      throw new Error(`No code was sent to ${email}.`);
    }
    await setTimeout(MAIL_PAUSE_MS);
  }
  return (await codes()).at(-1) ?? "";
};

/** Without the soft line breaks of quoted-printable. */
const bodyOf = (mail: string): string => mail.slice(mail.search(/\r?\n\r?\n/)).replaceAll("=\r\n", "");

/** A browser and the URL of the service. */
type Reached = Pick<Visitor, "context" | "url">;

/**
 * Signs in through the API, which is faster than through the pages, for tests that start signed in.
 * @returns the account's email address
 */
export const signIn = async (scene: Scene, { context, url }: Reached, email = newAddress()): Promise<string> => {
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  const sent = await context.request.post(`${url}/api/v1/session/code`, { headers, data: { email } });
  must(sent.status(), 202, await sent.text());
  const { challenge_id } = (await sent.json()) as { challenge_id: string };
  const data = { challenge_id, code: await codeFor(scene, email) };
  const answer = await context.request.post(`${url}/api/v1/session`, { headers, data });
  must(answer.status(), 201, await answer.text());
  return email;
};

/** The same for an account that has chosen the free plan. */
export const signInToFree = async (scene: Scene, visitor: Reached, email?: string): Promise<string> => {
  const address = await signIn(scene, visitor, email);
  must((await send(visitor, "session/plan", { plan: "free" })).status, 200);
  return address;
};

/** Sends a request like the pages do. */
export const send = async <Body = unknown>(
  { context, url }: Reached,
  path: string,
  data?: unknown,
  method = "POST",
): Promise<{ readonly status: number; readonly body: Body }> => {
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  const answer = await context.request.fetch(`${url}/api/v1/${path}`, {
    method,
    headers,
    ...(data !== undefined && { data }),
  });
  const text = await answer.text();
  return { status: answer.status(), body: (text === "" ? undefined : JSON.parse(text)) as Body };
};

/** A folder with texts of an operator. */
export const OPERATOR_TEXTS = join(import.meta.dirname, "operator");

/** @returns the path of a file of test/fixtures */
export const fixture = (name: string): string => join(import.meta.dirname, "../../fixtures", name);

/** @throws Error if the status is not the expected one */
export const must = (status: number, wanted: number, answer = ""): void => {
  if (status !== wanted) {
    throw new Error(`The service responded with status ${status} instead of ${wanted}. ${answer}`);
  }
};
