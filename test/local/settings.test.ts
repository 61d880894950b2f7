import { describe, expect, it } from "vitest";
import { operatorTexts } from "../../functions/domain/site/operator-pages.ts";
import { readSettings } from "../../local/settings.ts";
import { OPERATOR_TEXTS } from "../support/browser/dashboard.ts";

const STRIPE = {
  ANYFORM_STRIPE_SECRET_KEY: "sk_test_1",
  ANYFORM_STRIPE_WEBHOOK_SECRET: "whsec_1",
  ANYFORM_STRIPE_PRICE: "price_1",
};

describe("the Stripe settings", () => {
  it("are all set or all unset", () => {
    expect(readSettings({}).stripe).toBeUndefined();
    expect(readSettings(STRIPE).stripe).toEqual({
      secretKey: "sk_test_1",
      webhookSecret: "whsec_1",
      price: "price_1",
      api: undefined,
    });
  });

  it.each(Object.keys(STRIPE))("are rejected without %s, and the error contains none of them", (name) => {
    const refused = () => readSettings({ ...STRIPE, [name]: "" });
    expect(refused).toThrow(`${name} is not set`);
    expect(refused).not.toThrow(/sk_test|whsec_1|price_1/);
  });
});

describe("the email settings", () => {
  const SMTP = {
    ANYFORM_SMTP_URL: "smtps://anyform:s3cret@mail.example.com",
    ANYFORM_MAIL_FROM: "Anyform <codes@example.com>",
  };

  it("are all set or all unset", () => {
    expect(readSettings({}).smtp).toBeUndefined();
    expect(readSettings(SMTP).smtp).toEqual({ url: SMTP.ANYFORM_SMTP_URL, from: SMTP.ANYFORM_MAIL_FROM });
  });

  it.each([{ ANYFORM_MAIL_FROM: "" }, { ANYFORM_SMTP_URL: "" }, { ANYFORM_SMTP_URL: "http://anyform:s3cret@x" }])(
    "are rejected with %o, and the error does not contain the password",
    (wrong) => {
      const refused = () => readSettings({ ...SMTP, ...wrong });
      expect(refused).toThrow("ANYFORM_SMTP_URL");
      expect(refused).not.toThrow("s3cret");
    },
  );
});

describe("the settings of the identity provider", () => {
  const OIDC = {
    ANYFORM_OIDC_ISSUER: "https://id.example.com/realms/main",
    ANYFORM_OIDC_CLIENT_ID: "anyform",
    ANYFORM_OIDC_CLIENT_SECRET: "cl13nt",
  };

  it("are all set or all unset; codes can only be turned off with them", () => {
    expect(readSettings({})).toMatchObject({ identity: undefined, signInCodes: true });
    const { identity, signInCodes } = readSettings({ ...OIDC, ANYFORM_SIGN_IN_CODES: "false" });
    expect(identity).toMatchObject({ issuer: OIDC.ANYFORM_OIDC_ISSUER, clientId: "anyform", clientSecret: "cl13nt" });
    expect(signInCodes).toBe(false);
    expect(() => readSettings({ ANYFORM_SIGN_IN_CODES: "false" })).toThrow("requires ANYFORM_OIDC_ISSUER");
  });

  it.each(Object.keys(OIDC))("are rejected without %s, and the error does not contain the secret", (name) => {
    const refused = () => readSettings({ ...OIDC, [name]: "" });
    expect(refused).toThrow(`${name} is not set`);
    expect(refused).not.toThrow("cl13nt");
  });

  it.each([
    "http://id.example.com",
    "http://8.8.8.8",
    "ftp://id.example.com",
    "id.example.com",
    "https://u:p@id.example.com",
  ])("reject the issuer %s", (issuer) =>
    expect(() => readSettings({ ...OIDC, ANYFORM_OIDC_ISSUER: issuer })).toThrow("ANYFORM_OIDC_ISSUER must be"),
  );

  it.each(["http://127.0.0.1:8081", "http://keycloak:8080/realms/main", "http://192.168.1.7", "http://[::1]:9000"])(
    "allow the issuer %s in a private network",
    (issuer) => expect(readSettings({ ...OIDC, ANYFORM_OIDC_ISSUER: issuer }).identity?.issuer).toBe(issuer),
  );
});

describe("the settings of visitors and proxies", () => {
  it("allow visitors and no proxies by default", () => {
    expect(readSettings({})).toMatchObject({ visitors: true, trustedProxies: 0 });
    expect(readSettings({ ANYFORM_VISITORS: "false", ANYFORM_TRUSTED_PROXIES: "2" })).toMatchObject({
      visitors: false,
      trustedProxies: 2,
    });
  });

  it.each([{ ANYFORM_VISITORS: "yes" }, { ANYFORM_TRUSTED_PROXIES: "-1" }, { ANYFORM_TRUSTED_PROXIES: "all" }])(
    "are rejected with %o",
    (wrong) => {
      expect(() => readSettings(wrong)).toThrow(Object.keys(wrong)[0]);
    },
  );
});

describe("the texts of the operator", () => {
  it("are the files of a folder with the names of pages", () => {
    expect(readSettings({}).operatorTexts).toBeUndefined();
    const { operatorTexts } = readSettings({ ANYFORM_OPERATOR_PAGES: OPERATOR_TEXTS });
    expect(Object.keys(operatorTexts ?? {})).toEqual(["imprint.de.md", "imprint.md", "privacy.md"]);
  });

  it("are required in the folder, and have a limit", () => {
    expect(() => readSettings({ ANYFORM_OPERATOR_PAGES: "/nowhere" })).toThrow("must be a folder that can be read");
    expect(() => readSettings({ ANYFORM_OPERATOR_PAGES: import.meta.dirname })).toThrow("at least one of terms.md");
    expect(() => operatorTexts(["terms.md"], () => "x".repeat(100_001))).toThrow("at most 100,000 characters");
  });
});

describe("the limits of each address", () => {
  it("have defaults, and can be set", () => {
    expect(readSettings({})).toMatchObject({ connectionsPerAddressMax: 500, publicRequestsPerMinute: 1_200 });
    const set = { ANYFORM_CONNECTIONS_PER_ADDRESS: "20", ANYFORM_PUBLIC_REQUESTS: "60" };
    expect(readSettings(set)).toMatchObject({ connectionsPerAddressMax: 20, publicRequestsPerMinute: 60 });
  });

  it.each([
    ["ANYFORM_CONNECTIONS_PER_ADDRESS", "0"],
    ["ANYFORM_CONNECTIONS_PER_ADDRESS", "1001"],
    ["ANYFORM_CONNECTIONS_PER_ADDRESS", "1.5"],
    ["ANYFORM_API_PROCESSES", "0"],
    ["ANYFORM_API_PROCESSES", "33"],
    ["ANYFORM_PUBLIC_REQUESTS", "many"],
  ])("are rejected with %s=%s", (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(`${name} must be a number from 1 to`);
  });
});
