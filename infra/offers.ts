import { Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { type ISecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import type { Permissions } from "../functions/api/permissions.ts";
import type { IdentityOffer } from "./settings/dashboard-settings.ts";
import type { Settings } from "./settings/settings.ts";

/** Optional features that the operator has set up: email, payments and an identity provider. */
export interface Offers {
  /** @default no email is sent */
  readonly mailFrom?: MailFrom | undefined;
  /** JSON with `secretKey`, `webhookSecret` and `price` of Stripe. @default no payments */
  readonly payments?: ISecret | undefined;
  /** @default users sign in with codes and passkeys */
  readonly identity?: IdentityWithSecret | undefined;
  /** @default true */
  readonly signInCodes?: boolean;
}

/** The identity provider, with the secret that contains `clientId` and `clientSecret`. */
export interface IdentityWithSecret extends Pick<IdentityOffer, "issuer" | "name"> {
  readonly credentials: ISecret;
}

/** Sender of email. */
export interface MailFrom {
  readonly address: string;
  /**
   * Identities that may authorize the sender: SES checks the identity of the address if it exists, otherwise that of its
   * domain (Amazon SES Developer Guide, "Controlling access"). The operator sets up one of them.
   */
  readonly identityArns: readonly string[];
}

/** @returns the features that the settings enable, whose resources exist before the stack */
export const offersIn = (scope: Construct, { mailFrom, stripeSecret, identity, signInCodes }: Settings): Offers => ({
  mailFrom: mailFrom === undefined ? undefined : mailFromIn(Stack.of(scope), mailFrom),
  payments: stripeSecret === undefined ? undefined : Secret.fromSecretNameV2(scope, "Payments", stripeSecret),
  identity: identity && {
    issuer: identity.issuer,
    name: identity.name,
    credentials: Secret.fromSecretNameV2(scope, "IdentityProvider", identity.secret),
  },
  signInCodes,
});

const mailFromIn = (stack: Stack, address: string): MailFrom => {
  const identity = (resourceName: string) => stack.formatArn({ service: "ses", resource: "identity", resourceName });
  return { address, identityArns: [identity(address), identity(address.slice(address.indexOf("@") + 1))] };
};

/** @returns the email statements of a row: from this address only */
export const mailStatements = ({ mails }: Permissions, { mailFrom }: Offers): readonly PolicyStatement[] =>
  mails === undefined || mailFrom === undefined
    ? []
    : [
        new PolicyStatement({
          actions: ["ses:SendEmail"],
          resources: [...mailFrom.identityArns],
          conditions: { StringEquals: { "ses:FromAddress": mailFrom.address } },
        }),
      ];

/** Names of the Stripe settings in a function's environment and in the secret. */
const SECRETS: readonly Entry[] = [
  ["ANYFORM_STRIPE_SECRET_KEY", "secretKey"],
  ["ANYFORM_STRIPE_WEBHOOK_SECRET", "webhookSecret"],
];

/** The price is not secret: it only reveals that payments are enabled. */
const PRICE: Entry = ["ANYFORM_STRIPE_PRICE", "price"];

type Entry = readonly [variable: string, value: string];

/**
 * CloudFormation resolves the references to the secret during deployment, so functions start without another request.
 * Anyone who can read the configuration of the payment functions can read the secret.
 *
 * @returns the variables of functions/config.ts for the enabled features
 */
export const offerEntries = (
  { mails, pays, offers, identifies }: Permissions,
  { mailFrom, payments, identity, signInCodes }: Offers,
): readonly Entry[] => {
  const known = payments === undefined ? [] : [...(pays ? SECRETS : []), ...(pays || offers ? [PRICE] : [])];
  return [
    ...(mailFrom && (mails || offers) ? [["ANYFORM_MAIL_FROM", mailFrom.address] as const] : []),
    ...(identity && (identifies || offers) ? identityEntries(identity) : []),
    ...(identity && identifies ? credentialEntries(identity) : []),
    ...(signInCodes === false && (mails || offers) ? [["ANYFORM_SIGN_IN_CODES", "false"] as const] : []),
    ...known.map(([name, field]) => [name, payments?.secretValueFromJson(field).unsafeUnwrap() ?? ""] as const),
  ];
};

/** The issuer and its name are not secret. */
const identityEntries = ({ issuer, name }: IdentityWithSecret): readonly Entry[] => [
  ["ANYFORM_OIDC_ISSUER", issuer],
  ...(name === undefined ? [] : [["ANYFORM_OIDC_NAME", name] as const]),
];

const credentialEntries = ({ credentials }: IdentityWithSecret): readonly Entry[] =>
  (
    [
      ["ANYFORM_OIDC_CLIENT_ID", "clientId"],
      ["ANYFORM_OIDC_CLIENT_SECRET", "clientSecret"],
    ] as const
  ).map(([variable, field]) => [variable, credentials.secretValueFromJson(field).unsafeUnwrap()]);
