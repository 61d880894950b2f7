import * as z from "zod/mini";
import { described } from "../domain/options/described.ts";
import {
  EMAIL_CHARACTERS_MAX,
  PASSKEY_ANSWER_CHARACTERS_MAX,
  PASSKEY_NAME_CHARACTERS_MAX,
} from "../domain/sign-in-limits.ts";
import { locales } from "../domain/sign-in-mail.ts";

/** The bodies of the operations that sign somebody in. */

/**
 * One that mail reaches everywhere, and that is safe in a header: unquoted (RFC 5322, 3.4.1) and of ASCII. A host without
 * a dot is allowed, because one machine may send to its own.
 */
const EMAIL =
  /^\s*[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\s*$/;

const LOCAL_CHARACTERS_MAX = 64;

export const codeRequest = described(
  z.strictObject({
    email: described(
      z.string().check(
        z.maxLength(EMAIL_CHARACTERS_MAX),
        z.regex(EMAIL, "This is no e-mail address such as you@example.com."),
        z.refine((email) => email.trim().indexOf("@") <= LOCAL_CHARACTERS_MAX, "This is no e-mail address."),
      ),
      "The address that the code is sent to. Case makes no difference.",
    ),
    locale: z.optional(described(z.enum(locales), "The language of the message. Default: `en`.")),
  }),
  "Who wants to sign in.",
);

const challengeId = (from: string) =>
  described(z.string().check(z.regex(/^cha_[0-9A-Za-z]{22}$/)), `\`challenge_id\` of \`${from}\`.`);

export const codeSessionRequest = described(
  z.strictObject({
    challenge_id: challengeId("createSignInCode"),
    code: described(z.string().check(z.regex(/^[0-9]{6}$/)), "The six digits that came by mail."),
  }),
  "A code that was sent.",
);

const base64url = (description: string) =>
  described(
    z.string().check(z.minLength(1), z.maxLength(PASSKEY_ANSWER_CHARACTERS_MAX), z.regex(/^[\w-]+$/)),
    `${description} Base64url.`,
  );

/** 64 bytes at most (WebAuthn 3, 5.4.3); where there is none, some browsers send an empty one. */
const userHandle = described(
  z.string().check(z.maxLength(100), z.regex(/^[\w-]*$/)),
  "Whose passkey it is, as the authenticator has kept it. Base64url.",
);

const transport = z.string().check(z.maxLength(20), z.regex(/^[a-z-]+$/));

/** Browsers add to it with each version of the standard: what is not known is not looked at. */
const credential = <R extends z.ZodMiniType>(response: R, description: string) =>
  described(
    z.object({
      id: base64url("The id of the credential."),
      rawId: base64url("The same."),
      response,
      type: described(z.literal("public-key"), "Always this."),
    }),
    description,
  );

export const assertionSchema = credential(
  described(
    z.object({
      clientDataJSON: base64url("What the browser was asked, and by which page."),
      authenticatorData: base64url("What the authenticator says."),
      signature: base64url("Over both."),
      userHandle: z.optional(z.nullable(userHandle)),
    }),
    "What the authenticator answers.",
  ),
  "What `navigator.credentials.get` gives, as JSON (`AuthenticationResponseJSON` of WebAuthn).",
);

export const attestationSchema = credential(
  described(
    z.object({
      clientDataJSON: base64url("What the browser was asked, and by which page."),
      attestationObject: base64url("The new key, and what the authenticator says."),
      transports: z.optional(
        described(z.array(transport).check(z.maxLength(10)), "How the authenticator can be reached."),
      ),
    }),
    "What the authenticator answers.",
  ),
  "What `navigator.credentials.create` gives, as JSON (`RegistrationResponseJSON` of WebAuthn).",
);

export const passkeySessionRequest = described(
  z.strictObject({ challenge_id: challengeId("startPasskeySignIn"), credential: assertionSchema }),
  "A passkey's answer.",
);

export const passkeyRequest = described(
  z.strictObject({
    challenge_id: challengeId("startPasskey"),
    name: described(
      z.string().check(z.minLength(1), z.maxLength(PASSKEY_NAME_CHARACTERS_MAX)),
      "What its owner calls it: the device that it is on, for example.",
    ),
    credential: attestationSchema,
  }),
  "A new passkey.",
);

export type CodeRequest = z.infer<typeof codeRequest>;
export type CodeSessionRequest = z.infer<typeof codeSessionRequest>;
export type PasskeySessionRequest = z.infer<typeof passkeySessionRequest>;
export type PasskeyRequest = z.infer<typeof passkeyRequest>;
export type Assertion = z.infer<typeof assertionSchema>;
export type Attestation = z.infer<typeof attestationSchema>;
