import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Visitor } from "./browser.ts";
import type { LocalService } from "./local-service.ts";

/** What people do in the pages, and what they read beside them: for tests, and for commands that show the pages. */

export interface Scene {
  readonly service: () => LocalService;
}

/** @returns where a browser opens the service: by the name that it makes passkeys for, without a slash at the end */
export const browserUrl = ({ url }: Pick<LocalService, "url">): string => url.replace("//127.0.0.1:", "//localhost:");

/** @returns the paths of all pages */
export const pagePaths = (): readonly string[] =>
  [...readFileSync(join(root, "dashboard/pages.ts"), "utf8").matchAll(/path: "([^"]+)"/g)].map(
    ([, path]) => path ?? "",
  );

const root = join(import.meta.dirname, "../..");

/** Milliseconds within which a mail lies in the outbox. */
const MAIL_MS_MAX = 10_000;
const MAIL_PAUSE_MS = 50;

let people = 0;

/** @returns an address that nobody has yet */
export const newAddress = (): string => {
  people += 1;
  return `person-${people}-${crypto.randomUUID().slice(0, 8)}@example.com`;
};

/** @returns the code that was sent to the address last, out of the mails that the service laid into its outbox */
export const codeFor = async ({ service }: Scene, email: string, sent = 1): Promise<string> => {
  const folder = join(service().dataDir, "outbox");
  const codes = async (): Promise<readonly string[]> => {
    const names = await readdir(folder).catch(() => []);
    const mails = await Promise.all(names.sort().map((name) => readFile(join(folder, name), "utf8")));
    return mails.filter((mail) => mail.includes(email)).flatMap((mail) => /\b\d{6}\b/.exec(bodyOf(mail))?.[0] ?? []);
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

const bodyOf = (mail: string): string => mail.slice(mail.search(/\r?\n\r?\n/));

/** A browser, and where it reaches the service. */
type Reached = Pick<Visitor, "context" | "url">;

/**
 * Signs in without the pages, as fast as that can be: for tests of what comes after.
 * @returns the address of the account
 */
const signIn = async (scene: Scene, { context, url }: Reached, email = newAddress()): Promise<string> => {
  const headers = { origin: url, "sec-fetch-site": "same-origin" };
  const asked = await context.request.post(`${url}/api/v1/session/code`, { headers, data: { email } });
  must(asked.status(), 202, await asked.text());
  const { challenge_id } = (await asked.json()) as { challenge_id: string };
  const data = { challenge_id, code: await codeFor(scene, email) };
  const answer = await context.request.post(`${url}/api/v1/session`, { headers, data });
  must(answer.status(), 201, await answer.text());
  return email;
};

/** The same for somebody who has picked the free plan. */
export const signInToFree = async (scene: Scene, visitor: Reached, email?: string): Promise<string> => {
  const address = await signIn(scene, visitor, email);
  must((await send(visitor, "session/plan", { plan: "free" })).status, 200);
  return address;
};

/** Asks the service as the page does. */
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

/** @returns the path of a file of test/fixtures */
export const fixture = (name: string): string => join(import.meta.dirname, "../fixtures", name);

/** @throws Error when the service answered otherwise */
export const must = (status: number, wanted: number, answer = ""): void => {
  if (status !== wanted) {
    throw new Error(`The service answered ${status} and not ${wanted}. ${answer}`);
  }
};
