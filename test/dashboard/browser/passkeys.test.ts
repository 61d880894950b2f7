import { describe, expect, test } from "vitest";
import { hasBrowser, type Visitor } from "../../support/browser/browser.ts";
import { signInToFree } from "../../support/browser/dashboard.ts";
import { stage } from "./stage.ts";

describe.skipIf(!hasBrowser())("passkeys, with Chromium's virtual authenticator", () => {
  const at = stage();

  test("a passkey signs in without a code until it is removed", () =>
    at.visit(
      async (visitor) => {
        const { page, url } = visitor;
        await addAuthenticator(visitor);
        const email = await signInToFree(at, visitor);
        await page.goto(`${url}/account`);
        await page.getByRole("button", { name: "Add passkey" }).click();
        await page.getByLabel("Name", { exact: true }).fill("Test laptop");
        await page.getByRole("dialog").getByRole("button", { name: "Add passkey" }).click();
        await page.getByRole("button", { name: "Remove “Test laptop”" }).waitFor();
        await page.getByRole("button", { name: "Account menu" }).click();
        await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
        await page.goto(`${url}/sign-in?next=/account`);
        await page.getByRole("button", { name: "Sign in with a passkey" }).click();
        await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
        await page.getByRole("main").getByText(email).first().waitFor();
        await page.getByText("with a passkey").first().waitFor();
        await page.getByRole("button", { name: "Remove “Test laptop”" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Remove" }).last().click();
        await page.getByText("No passkeys yet.").waitFor();
        await page.getByRole("button", { name: "Account menu" }).click();
        await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
        await page.goto(`${url}/sign-in`);
        await page.getByRole("button", { name: "Sign in with a passkey" }).click();
        await page.getByRole("main").getByRole("alert").waitFor();
        expect(new URL(page.url()).pathname).toBe("/sign-in");
      },
      { expected: [/^422 POST \/api\/v1\/session\/passkey$/] },
    ));
});

/** A platform authenticator that verifies its user and stores passkeys. */
const addAuthenticator = async ({ page, context }: Visitor): Promise<void> => {
  // The email field also offers passkeys, and this authenticator would accept the offer before anybody clicks a button.
  await page.addInitScript("PublicKeyCredential.isConditionalMediationAvailable = async () => false");
  const protocol = await context.newCDPSession(page);
  await protocol.send("WebAuthn.enable");
  await protocol.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};
