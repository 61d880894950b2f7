import type { MailServer } from "../../support/emulators/ses.ts";
import type { RightsRecorder } from "../../support/rights/rights-recorder.ts";
import type { TestProvider } from "../../support/services/identity-provider.ts";

/** Every kind of request about members, and sign-in with the identity provider. */

const page = { "sec-fetch-site": "same-origin", authorization: undefined };

export const manageMembers = async (recorder: RightsRecorder, mailServer: MailServer): Promise<void> => {
  const accountId = await recorder.open("ten@example.com");
  const asOwner = recorder.callSignedIn;
  const invite = async (): Promise<string> => {
    await asOwner("POST /api/v1/session/members", { email: "eleven@example.com", role: "billing" });
    return /^ {4}(acc_\S+)/m.exec(mailServer.messages.at(-1)?.text ?? "")?.[1] ?? "";
  };
  // It ends the current session of the browser.
  const { session } = await asOwner("POST /api/v1/session/invitation", { code: await invite() });
  await asOwner("GET /api/v1/session/members");
  await asOwner(`POST /api/v1/session/members/${session.member_id}`, { role: "developer" });
  await asOwner(`DELETE /api/v1/session/members/${session.member_id}`);
  await asOwner("GET /api/v1/session/accounts");
  await asOwner(`POST /api/v1/session/accounts/${accountId}`);
};

export const signInByProvider = async (recorder: RightsRecorder, provider: TestProvider): Promise<void> => {
  provider.user = { email: "nine@example.com", email_verified: true };
  const { challenge_id, url } = await recorder.call("POST /api/v1/session/oidc/options", { headers: page });
  const answer = Object.fromEntries((await provider.visit(url)).searchParams);
  await recorder.call("POST /api/v1/session/oidc", { headers: page, body: { challenge_id, ...answer } });
};
