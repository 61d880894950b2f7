import { Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { type ISecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import type { Permissions } from "./permissions.ts";
import type { Settings } from "./settings.ts";

/** What an operator has set up for a deployment to offer: mail and payments. */
export interface Offers {
  /** @default no mail is sent */
  readonly mailFrom?: MailFrom | undefined;
  /** JSON with `secretKey`, `webhookSecret` and `price` of Stripe. @default there is no payment service */
  readonly payments?: ISecret | undefined;
}

/** Where mail comes from. */
export interface MailFrom {
  readonly address: string;
  /**
   * Whose right to send as the address is: SES asks for the identity of the address where it knows that, else for the one
   * of its domain (Amazon SES Developer Guide, "Controlling access"). Which of them there is the operator has set up.
   */
  readonly identityArns: readonly string[];
}

/** @returns what the settings name, which is there before the stack is */
export const offersIn = (scope: Construct, { mailFrom, stripeSecret }: Settings): Offers => ({
  mailFrom: mailFrom === undefined ? undefined : mailFromIn(Stack.of(scope), mailFrom),
  payments: stripeSecret === undefined ? undefined : Secret.fromSecretNameV2(scope, "Payments", stripeSecret),
});

const mailFromIn = (stack: Stack, address: string): MailFrom => {
  const identity = (resourceName: string) => stack.formatArn({ service: "ses", resource: "identity", resourceName });
  return { address, identityArns: [identity(address), identity(address.slice(address.indexOf("@") + 1))] };
};

/** @returns the part of a row that concerns mail: from the one address, and no other */
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

/** The names in a function's environment, and in the secret, of what Stripe gave. */
const SECRETS: readonly Entry[] = [
  ["ANYFORM_STRIPE_SECRET_KEY", "secretKey"],
  ["ANYFORM_STRIPE_WEBHOOK_SECRET", "webhookSecret"],
];

/** The price is no secret: who knows it knows that payments are offered. */
const PRICE: Entry = ["ANYFORM_STRIPE_PRICE", "price"];

type Entry = readonly [variable: string, value: string];

/**
 * CloudFormation resolves the references to the secret when it deploys, so no function asks another service at its start;
 * who may read the configuration of the functions that pay can read what they know.
 *
 * @returns the variables of functions/config.ts that tell a function what is offered
 */
export const offerEntries = (
  { mails, pays, offers }: Permissions,
  { mailFrom, payments }: Offers,
): readonly Entry[] => {
  const known = payments === undefined ? [] : [...(pays ? SECRETS : []), ...(pays || offers ? [PRICE] : [])];
  return [
    ...(mailFrom && (mails || offers) ? [["ANYFORM_MAIL_FROM", mailFrom.address] as const] : []),
    ...known.map(([name, field]) => [name, payments?.secretValueFromJson(field).unsafeUnwrap() ?? ""] as const),
  ];
};
