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
    ["ANYFORM_PUBLIC_REQUESTS", "many"],
  ])("are rejected with %s=%s", (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(`${name} must be a number from 1 to`);
  });
});
