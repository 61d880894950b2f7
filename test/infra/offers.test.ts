import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { routes } from "../../functions/api/routes.ts";
import { bundleName } from "../../infra/bundle-name.ts";
import { nameOf, sectionOf, synthesise } from "./support/synthesise.ts";

/** Optional features of a deployment, and the functions that know about them. */

const functionsOf = (template: Template) =>
  Object.values(template.findResources("AWS::Lambda::Function")).map(({ Properties }) => ({
    name: nameOf(Properties),
    role: Properties.Role["Fn::GetAtt"][0] as string,
    variables: Properties.Environment.Variables as Readonly<Record<string, unknown>>,
  }));

const knowing = (template: Template, variable: string): readonly string[] =>
  functionsOf(template)
    .filter(({ variables }) => variable in variables)
    .map(({ name }) => name)
    .sort();

/** @returns the functions whose role has a statement with the action, and the statement */
const allowed = (template: Template, action: string) =>
  functionsOf(template).flatMap(({ name, role }) => {
    const policies: { PolicyDocument: { Statement: { Action: string | string[] }[] } }[] =
      template.toJSON().Resources[role].Properties.Policies;
    const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    return statements
      .filter(({ Action }) => [Action].flat().includes(action))
      .map((statement) => ({ name, statement }));
  });

/** @returns the runbook sections of all alarms */
const alarmNames = (template: Template): readonly string[] =>
  Object.values(template.findResources("AWS::CloudWatch::Alarm")).map(({ Properties }) => sectionOf(Properties));

/** Operations that report the enabled features. */
const TELLING = [
  "accept-invitation",
  "create-oidc-session",
  "create-passkey-session",
  "create-session",
  "create-visitor-session",
  "get-session",
  "switch-account",
];

/** Operations that send mail. */
const SENDERS = ["change-email", "create-sign-in-code", "invite-member"];

describe("mail", () => {
  const template = synthesise({ mailFrom: "codes@files.example.com" });

  test("is sent by three functions, from one address, with the identity of the address or of its domain", () => {
    const senders = allowed(template, "ses:SendEmail");
    expect(senders.map(({ name }) => name).sort()).toEqual(SENDERS);
    for (const { statement } of senders) {
      expect(statement).toMatchObject({
        Effect: "Allow",
        Condition: { StringEquals: { "ses:FromAddress": "codes@files.example.com" } },
      });
      const resources = JSON.stringify(statement);
      expect(resources).toContain(":identity/codes@files.example.com");
      expect(resources).toContain(":identity/files.example.com");
      expect(resources).not.toContain("*");
    }
  });

  test("is known to the functions that report features, and to those that send it", () => {
    expect(knowing(template, "ANYFORM_MAIL_FROM")).toEqual([...TELLING, ...SENDERS].sort());
  });

  test("has an alarm that counts failed codes in the API's log", () => {
    expect(alarmNames(template)).toContain("mail-does-not-go-out");
    template.hasResourceProperties("AWS::Logs::MetricFilter", {
      FilterPattern: '{ ($.route = "POST /api/v1/session/code") && ($.status = "5*") }',
      MetricTransformations: [{ MetricName: "createSignInCodeFailures", MetricNamespace: "anyform", MetricValue: "1" }],
    });
  });
});

describe("payments", () => {
  const template = synthesise({ stripeSecret: "anyform/stripe" });
  const PAYING = ["choose-plan", "open-billing", "receive-billing-event"];

  test.each(["ANYFORM_STRIPE_SECRET_KEY", "ANYFORM_STRIPE_WEBHOOK_SECRET"])(
    "%s is known to three functions",
    (name) => {
      expect(knowing(template, name)).toEqual(PAYING);
      const [{ variables } = { variables: {} }] = functionsOf(template).filter((each) => each.name === "choose-plan");
      expect(JSON.stringify(variables)).toMatch(/\{\{resolve:secretsmanager:.*secret:anyform\/stripe:SecretString:/);
    },
  );

  test("are known only by their price to the functions that report features", () => {
    expect(knowing(template, "ANYFORM_STRIPE_PRICE")).toEqual([...TELLING, ...PAYING].sort());
  });

  test("have an alarm that counts failed events in the API's log", () => {
    expect(alarmNames(template)).toContain("stripe-events-fail");
  });
});

describe("an identity provider", () => {
  const template = synthesise({
    oidcIssuer: "https://id.example.com",
    oidcName: "Example ID",
    oidcSecret: "anyform/oidc",
    signInCodes: "false",
  });
  const IDENTIFYING = ["create-oidc-session", "start-oidc-sign-in"];

  test.each(["ANYFORM_OIDC_CLIENT_ID", "ANYFORM_OIDC_CLIENT_SECRET"])("has %s in two functions", (name) => {
    expect(knowing(template, name)).toEqual(IDENTIFYING);
    const [{ variables } = { variables: {} }] = functionsOf(template).filter((each) => each.name === IDENTIFYING[0]);
    expect(JSON.stringify(variables)).toMatch(/\{\{resolve:secretsmanager:.*secret:anyform\/oidc:SecretString:/);
  });

  test("is known by its issuer and name to the functions that report features", () => {
    const informed = [...new Set([...TELLING, ...IDENTIFYING])].sort();
    expect(knowing(template, "ANYFORM_OIDC_ISSUER")).toEqual(informed);
    expect(knowing(template, "ANYFORM_OIDC_NAME")).toEqual(informed);
    expect(knowing(template, "ANYFORM_SIGN_IN_CODES")).toEqual([...new Set([...TELLING, ...SENDERS])].sort());
  });
});

describe("a deployment without optional features", () => {
  const template = synthesise();

  test.each([
    "ANYFORM_MAIL_FROM",
    "ANYFORM_STRIPE_PRICE",
    "ANYFORM_STRIPE_SECRET_KEY",
    "ANYFORM_VISITORS",
    "ANYFORM_OIDC_ISSUER",
    "ANYFORM_SIGN_IN_CODES",
  ])("does not set %s for any function", (name) => expect(knowing(template, name)).toEqual([]));

  test("has no permission to send mail, and no alarms for mail or payments", () => {
    expect(allowed(template, "ses:SendEmail")).toEqual([]);
    expect(alarmNames(template).filter((name) => /mail|stripe/.test(name))).toEqual([]);
  });
});

test("visitors are allowed by every function of the API", () => {
  const api = [...routes.map(({ id }) => bundleName(id)), "fallback"];
  expect(knowing(synthesise({ visitors: "true" }), "ANYFORM_VISITORS")).toEqual(api.sort());
});
