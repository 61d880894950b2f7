import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Node } from "constructs";
import { type RequestLogMode, requestLogModes } from "../../functions/domain/requests/request-log-mode.ts";
import { isIssuer } from "../../functions/domain/sessions/identity.ts";
import { type OperatorTexts, operatorTexts } from "../../functions/domain/site/operator-pages.ts";
import { check, flagOf, secretOf, textOf } from "./context-values.ts";

/** Settings of the pages, sign-in and accounts. */
export interface DashboardSettings {
  /** Whether to serve the dashboard, through a CloudFront distribution that also serves the API. @default true */
  readonly pages: boolean;
  /** Custom domain of the distribution, and its certificate in us-east-1. @default the CloudFront domain */
  readonly domain: Domain | undefined;
  /**
   * Sender of sign-in codes: an address, or an address of a domain, that is verified in SES. @default no codes are sent,
   * so nobody can sign in
   */
  readonly mailFrom: string | undefined;
  /** Email addresses of those who manage accounts in the dashboard, separated by commas. @default nobody */
  readonly operators: string | undefined;
  /**
   * Texts of the operator's pages, from a folder with `terms.md`, `privacy.md`, `imprint.md` and `contact.md`. @default
   * there are no such pages
   */
  readonly operatorPages: OperatorTexts | undefined;
  /** Whether visitors without an account can convert a few small files per day. @default false */
  readonly visitors: boolean;
  /** Which requests accounts can see in their log: each entry costs a write to DynamoDB. @default "all" */
  readonly requestLog: RequestLogMode;
  /** Sign-in with an OpenID Connect provider. @default with emailed codes and passkeys only */
  readonly identity: IdentityOffer | undefined;
  /** Whether sign-in codes are emailed. @default true */
  readonly signInCodes: boolean;
  /**
   * Name of a Secrets Manager secret with the Stripe settings: JSON with `secretKey`, `webhookSecret` and `price`.
   * @default plans are requested, and approved with `npm run accounts`
   */
  readonly stripeSecret: string | undefined;
}

/** A custom domain of the distribution. */
export interface Domain {
  readonly name: string;
  readonly certificateArn: string;
}

/** A domain in SES or DNS: labels of letters, digits and hyphens. */
const HOST = String.raw`[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+`;

/** @returns the settings of the pages, sign-in and accounts @throws for an invalid value */
export const readDashboardSettings = (node: Node): DashboardSettings => {
  const pages = textOf(node, "pages") ?? "cloudfront";
  check(pages === "cloudfront" || pages === "none", "pages", pages, "cloudfront or none");
  const mailFrom = textOf(node, "mailFrom");
  const isAddress = new RegExp(`^[\\w.+-]{1,64}@${HOST}$`, "i");
  check(
    mailFrom === undefined || isAddress.test(mailFrom),
    "mailFrom",
    mailFrom,
    "an email address without a display name",
  );
  const stripeSecret = secretOf(node, "stripeSecret");
  const operators = textOf(node, "operators");
  const areAddresses =
    operators === undefined || operators.split(",").every((address) => isAddress.test(address.trim()));
  check(areAddresses, "operators", operators, "email addresses, separated by commas");
  const visitors = flagOf(node, "visitors", false);
  const identity = identityOf(node);
  const signInCodes = flagOf(node, "signInCodes", true);
  check(signInCodes || identity !== undefined, "signInCodes", "false", "true without oidcIssuer");
  return {
    pages: pages === "cloudfront",
    domain: domainOf(node),
    mailFrom,
    operatorPages: operatorPagesOf(node),
    operators,
    visitors,
    requestLog: requestLogOf(node),
    stripeSecret,
    identity,
    signInCodes,
  };
};

const requestLogOf = (node: Node): RequestLogMode => {
  const text = textOf(node, "requestLog") ?? "all";
  const mode = requestLogModes.find((each) => each === text);
  check(mode !== undefined, "requestLog", text, requestLogModes.join(", "));
  return mode ?? "all";
};

/** An OpenID Connect provider. */
export interface IdentityOffer {
  readonly issuer: string;
  /** What the button on the sign-in page names. @default the host of the issuer */
  readonly name: string | undefined;
  /** Name of a Secrets Manager secret: JSON with `clientId` and `clientSecret`. */
  readonly secret: string;
}

const identityOf = (node: Node): IdentityOffer | undefined => {
  const [issuer, name] = [textOf(node, "oidcIssuer"), textOf(node, "oidcName")];
  const secret = secretOf(node, "oidcSecret");
  const isHttps = issuer?.startsWith("https:") && isIssuer(issuer);
  check(isHttps ?? true, "oidcIssuer", issuer, "an https URL without a query");
  check((issuer === undefined) === (secret === undefined), "oidcSecret", secret, "set together with oidcIssuer");
  return issuer === undefined || secret === undefined ? undefined : { issuer, name, secret };
};

const operatorPagesOf = (node: Node): OperatorTexts | undefined => {
  const folder = textOf(node, "operatorPages");
  try {
    return folder === undefined
      ? undefined
      : operatorTexts(readdirSync(folder), (name) => readFileSync(join(folder, name), "utf8"));
  } catch (error) {
    check(false, "operatorPages", folder, error instanceof RangeError ? error.message : "a folder that can be read");
    throw error;
  }
};

/** CloudFront only accepts certificates from us-east-1 (CloudFront Developer Guide, "Requirements for certificates"). */
const CERTIFICATE = /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/;

const domainOf = (node: Node): Domain | undefined => {
  const [name, certificateArn] = [textOf(node, "domainName"), textOf(node, "certificateArn")];
  check(
    name === undefined || new RegExp(`^${HOST}$`).test(name),
    "domainName",
    name,
    "a domain such as files.example.com",
  );
  check(
    certificateArn === undefined ? name === undefined : CERTIFICATE.test(certificateArn) && name !== undefined,
    "certificateArn",
    certificateArn,
    "the ARN of a certificate in us-east-1, and requires domainName",
  );
  return name === undefined || certificateArn === undefined ? undefined : { name, certificateArn };
};
