import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { PASSKEY_ANSWER_CHARACTERS_MAX } from "../../domain/sessions/sign-in-limits.ts";

/** The credentials that browsers return for passkeys (WebAuthn). */

const base64url = (description: string) =>
  described(
    z.string().check(z.minLength(1), z.maxLength(PASSKEY_ANSWER_CHARACTERS_MAX), z.regex(/^[\w-]+$/, "base64url text")),
    `${description} Base64url.`,
  );

/** Up to 64 bytes (WebAuthn 3, 5.4.3). Some browsers send an empty string instead of omitting it. */
const userHandle = described(
  z.string().check(z.maxLength(100), z.regex(/^[\w-]*$/, "base64url text")),
  "The user handle that the authenticator stored. Base64url.",
);

/** Unknown fields are ignored, because browsers add fields with each version of the standard. */
const credentialSchema = <R extends z.ZodMiniType>(response: R, description: string) =>
  described(
    z.object({
      id: base64url("Credential ID."),
      rawId: base64url("Same as `id`."),
      response,
      type: described(z.literal("public-key"), "Always `public-key`."),
    }),
    description,
  );

export const assertionSchema = credentialSchema(
  described(
    z.object({
      clientDataJSON: base64url("The client data: challenge and origin."),
      authenticatorData: base64url("The authenticator data."),
      signature: base64url("The signature of both."),
      userHandle: z.optional(z.nullable(userHandle)),
    }),
    "The response of the authenticator.",
  ),
  "The result of `navigator.credentials.get`, as JSON (`AuthenticationResponseJSON` of WebAuthn).",
);

const transport = z
  .string()
  .check(z.maxLength(20), z.regex(/^[a-z-]+$/, "the name of a transport, such as `internal` or `usb`"));

export const attestationSchema = credentialSchema(
  described(
    z.object({
      clientDataJSON: base64url("The client data: challenge and origin."),
      attestationObject: base64url("The new public key and the authenticator data."),
      transports: z.optional(
        described(z.array(transport).check(z.maxLength(10)), "How the browser reaches the authenticator."),
      ),
    }),
    "The response of the authenticator.",
  ),
  "The result of `navigator.credentials.create`, as JSON (`RegistrationResponseJSON` of WebAuthn).",
);

export type Assertion = z.infer<typeof assertionSchema>;
export type Attestation = z.infer<typeof attestationSchema>;
