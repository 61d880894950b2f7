import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { sesClient, sesMail } from "../../functions/adapters/ses/mail.ts";
import type { MailSender } from "../../functions/domain/accounts/account-ports.ts";
import { signInMail } from "../../functions/domain/sessions/sign-in-mail.ts";
import { type MailServer, startMailServer } from "../support/emulators/ses.ts";

let server: MailServer;
let mail: MailSender;
beforeAll(async () => {
  server = await startMailServer();
  const credentials = { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "A", AWS_SECRET_ACCESS_KEY: "b" };
  Object.assign(process.env, server.environment, credentials);
});
afterAll(() => server.close());
beforeEach(() => {
  mail = sesMail(sesClient(), "anyform@example.com");
});
afterEach(() => server.refuse(undefined));

test("sends a message unchanged, in the operator's name", async () => {
  const message = signInMail("ada@example.com", "012345", "de");
  await mail.send(message);
  const { to, subject, text } = message;
  expect(server.messages.at(-1)).toEqual({ from: "anyform@example.com", to, subject, text });
});

test.each(["MessageRejected", "MailFromDomainNotVerifiedException"])(
  "treats SES error %s as retryable, and does not repeat its message, which contains the address",
  async (name) => {
    server.refuse(name);
    const refused = await mail.send(signInMail("ada@example.com", "012345", "en")).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "temporarily_unavailable", extra: { headers: { "retry-after": "60" } } });
    expect(String(refused)).toContain(name);
    expect(String(refused)).not.toContain("ada@example.com");
  },
);
