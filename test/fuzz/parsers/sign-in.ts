import { createHash } from "node:crypto";
import { updateAccountRequest } from "../../../functions/api/account/update-account.ts";
import { choosePlanRequest } from "../../../functions/api/billing/choose-plan.ts";
import { createKeyRequest } from "../../../functions/api/keys/create-key.ts";
import { rotateKeyRequest } from "../../../functions/api/keys/rotate-key.ts";
import { passkeyRequest } from "../../../functions/api/passkeys/create-passkey.ts";
import { passkeySessionRequest } from "../../../functions/api/passkeys/create-passkey-session.ts";
import { assertionSchema, attestationSchema } from "../../../functions/api/passkeys/credentials.ts";
import { counterOf, newPasskeyOf } from "../../../functions/api/passkeys/passkey-check.ts";
import { codeRequest } from "../../../functions/api/sign-in/create-sign-in-code.ts";
import { codeSessionRequest } from "../../../functions/api/sign-in/proven-address.ts";
import { sessionCookie } from "../../../functions/api/sign-in/session-cookie.ts";
import { announceUploadRequest } from "../../../functions/api/uploads/announce-upload.ts";
import { importUploadRequest } from "../../../functions/api/uploads/import-upload.ts";
import { fieldErrors } from "../../../functions/domain/schema.ts";
import type { Passkey } from "../../../functions/domain/sessions/session.ts";
import { cookieHash, cookieKeyId, newSession } from "../../../functions/domain/sessions/session-tokens.ts";
import { EMAIL_CHARACTERS_MAX } from "../../../functions/domain/sessions/sign-in-limits.ts";
import { newSigningKey } from "../../../functions/domain/sessions/signing-keys.ts";
import type { Random } from "../../support/random.ts";
import { changedJson } from "../grammars/json.ts";
import { broken, isRefusal, type Parser } from "../parser.ts";

/** Authentication: cookies, codes, passkeys; and the request bodies of signed-in people. */

const fixed = (byte: number) => (count: number) => Buffer.alloc(count, byte);
const NOW = 1_800_000_000_000;
const KEYS = [newSigningKey(NOW, fixed(1)), newSigningKey(NOW - 1, fixed(2))];
const SESSIONS = KEYS.map((key, index) =>
  newSession({ accountId: "acc_1", by: "code", device: "" }, key, { now: NOW, random: fixed(index + 3) }),
);
const COOKIES = SESSIONS.map(({ cookie }) => cookie);

/** Only a cookie that we signed, complete and unchanged, identifies a session. */
const holdCookie = (input: Buffer): void => {
  const text = input.toString();
  for (const baseUrl of ["http://localhost", "https://localhost"]) {
    const value = sessionCookie({ baseUrl, headers: { cookie: text } });
    for (const cookie of value === undefined ? [text] : [value, text]) {
      const [id, hash] = [cookieKeyId(cookie), cookieHash(cookie, KEYS, NOW)];
      const own = SESSIONS.find((each) => each.cookie === cookie);
      if (hash !== own?.session.hash || (id !== undefined && !/^sig_[0-9A-Za-z]{22}$/.test(id))) {
        throw broken("A cookie is one that we have signed", [cookie, id, hash]);
      }
    }
  }
};

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.";

/** A cookie among others, with a character or a part replaced by that of another one. */
const changedCookie = (_: Buffer, random: Random): Buffer => {
  const parts = random.pick(COOKIES).split(".");
  const other = random.pick(COOKIES).split(".");
  const mixed = parts.map((part, index) => (random.chance(0.2) ? (other[index] ?? part) : part));
  const text = [...mixed.join(".")];
  if (random.chance(0.5)) {
    text.splice(random.below(text.length), random.below(2), random.pick([...ALPHABET]));
  }
  const pair = `${random.pick(["anyform", "__Host-anyform", "anyform2", " anyform"])}=${text.join("")}`;
  const pairs = [random.pick(["a=b", "", "anyform=", "__Host-anyform=x"]), pair, random.pick(["c", "=", "anyform=1"])];
  return Buffer.from(random.chance(0.3) ? text.join("") : pairs.join(random.pick([";", "; ", ",", ";;"])));
};

const passkey: Passkey = {
  id: "AQ",
  accountId: "acc_1",
  name: "x",
  publicKey: "pQECAyYgASFYIA",
  counter: 1,
  transports: [],
  createdAt: 0,
};
const expected = { challenge: "Y2hhbGxlbmdl", baseUrl: "http://localhost" };
const hash = (text: string): Buffer => createHash("sha256").update(text).digest();

const SCHEMAS = [
  codeSessionRequest,
  passkeySessionRequest,
  passkeyRequest,
  choosePlanRequest,
  updateAccountRequest,
  createKeyRequest,
  rotateKeyRequest,
  announceUploadRequest,
  importUploadRequest,
];

/** A body is accepted or rejected; an accepted address is safe in an email header; no unknown passkey is accepted. */
const holdBody = async (input: Buffer): Promise<void> => {
  let body: unknown;
  try {
    body = JSON.parse(input.toString());
  } catch {
    body = input.toString();
  }
  const code = codeRequest.safeParse(body);
  if (code.success && !/^[!-~]{3,254}$/.test(code.data.email.trim())) {
    throw broken("An address is safe in an email", code.data);
  }
  if (code.success && code.data.email.length > EMAIL_CHARACTERS_MAX) {
    throw broken("An address has a maximum length", code.data.email.length);
  }
  for (const schema of [codeRequest, ...SCHEMAS]) {
    const read = schema.safeParse(body);
    if (!read.success) {
      fieldErrors({ schema, input: body, error: read.error });
    }
  }
  const credential = typeof body === "object" && body !== null && "credential" in body ? body.credential : body;
  const [assertion, attestation] = [assertionSchema.safeParse(credential), attestationSchema.safeParse(credential)];
  for (const check of [
    assertion.success ? () => counterOf(assertion.data, passkey, expected) : undefined,
    attestation.success ? () => newPasskeyOf(attestation.data, expected) : undefined,
  ]) {
    // A key without attestation proves nothing: any key made for our page and challenge is a valid new one.
    const taken = await check?.().catch((error: unknown) => {
      if (!isRefusal(error)) {
        throw error;
      }
      return undefined;
    });
    if (typeof taken === "number") {
      throw broken("Only a registered passkey is accepted", credential);
    }
  }
};

const clientData = (type: string): string =>
  Buffer.from(JSON.stringify({ type, challenge: expected.challenge, origin: expected.baseUrl })).toString("base64url");

/** Authenticator data (WebAuthn 3, 6.1): the page's hash, flags, a counter, and for a new key its ID and the key. */
const authenticatorData = (flags: number, more: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.concat([hash("localhost"), Buffer.of(flags, 0, 0, 0, 2), more]);

const COSE = Buffer.concat([
  Buffer.from("a5010203262001215820", "hex"),
  Buffer.alloc(32, 5),
  Buffer.from("225820", "hex"),
  Buffer.alloc(32, 6),
]);
const NEW_KEY = authenticatorData(0x41, Buffer.concat([Buffer.alloc(16), Buffer.of(0, 1, 1), COSE]));
const ATTESTATION = Buffer.concat([
  Buffer.from("a363666d74646e6f6e656761747453746d74a06861757468446174615858", "hex").subarray(0, -1),
  Buffer.of(NEW_KEY.length),
  NEW_KEY,
]);

const credentialOf = (response: object) => ({ id: "AQ", rawId: "AQ", type: "public-key", response });
const ASSERTED = credentialOf({
  clientDataJSON: clientData("webauthn.get"),
  authenticatorData: authenticatorData(5).toString("base64url"),
  signature: "MEQCIAAAAAAAAAAAAAAA",
  userHandle: null,
});
const ATTESTED = credentialOf({
  clientDataJSON: clientData("webauthn.create"),
  attestationObject: ATTESTATION.toString("base64url"),
  transports: ["usb"],
});
const CHALLENGE = `cha_${"0".repeat(22)}`;

const BODIES = [
  { email: "you.and+me@mail.example.com", locale: "en" },
  { challenge_id: CHALLENGE, code: "123456" },
  { challenge_id: CHALLENGE, credential: ASSERTED },
  { challenge_id: CHALLENGE, name: "phone", credential: ATTESTED },
  { url: "https://example.com/a.png", headers: { authorization: "x" } },
  { filename: "a.png", size: 10, sha256: "0".repeat(64) },
  { name: "k", scopes: ["upload"], kind: "test", expires_at: "2026-01-01T00:00:00Z" },
  { plan: "free", note: "x" },
  { webhook_url: "https://a.b", retention_hours: 1 },
];
const WORDS = ["email", "code", "credential", "@", ".", "a@b", "\r\n", "response", "-", "__proto__", "url", "headers"];
const changedBody = changedJson(WORDS);

/** Mutates the bytes inside a passkey response: as text they would hardly ever stay valid. */
const changedAnswer = (input: Buffer, random: Random, others: readonly Buffer[]): Buffer => {
  if (random.chance(0.5)) {
    return changedBody(input, random, others);
  }
  const bytes = Buffer.from(random.chance(0.7) ? ATTESTATION : authenticatorData(5, COSE));
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    bytes[random.below(bytes.length)] = random.pick([0, 1, 0x5f, 0x80, 0x9f, 0xbb, 0xff, random.below(256)]);
  }
  const end = random.chance(0.2) ? random.below(bytes.length) : bytes.length;
  const text = bytes.subarray(0, end).toString("base64url");
  const answer = random.chance(0.7)
    ? { ...ATTESTED, response: { ...ATTESTED.response, attestationObject: text } }
    : { ...ASSERTED, response: { ...ASSERTED.response, authenticatorData: text } };
  return Buffer.from(JSON.stringify({ challenge_id: CHALLENGE, name: "x", credential: answer }));
};

export const signInParsers: readonly Parser[] = [
  {
    name: "cookies",
    sources: [
      "functions/api/sign-in/session-cookie.ts",
      "functions/domain/sessions/session-tokens.ts",
      "functions/domain/sessions/signing-keys.ts",
    ],
    samples: () => [...COOKIES, `anyform=${COOKIES[0]}`, `a=b; __Host-anyform=${COOKIES[1]}`],
    words: [...COOKIES.flatMap((cookie) => cookie.split(".")), ".", "; ", "anyform=", "__Host-anyform=", "=", " "],
    change: changedCookie,
    hold: holdCookie,
  },
  {
    name: "sign-in",
    sources: [
      "functions/api/sign-in/sign-in-request.ts",
      "functions/api/passkeys/passkey-check.ts",
      "functions/api/account/account-request.ts",
      "functions/api/keys/key-request.ts",
      "functions/api/uploads/upload-request.ts",
      "functions/domain/schema.ts",
    ],
    samples: () => BODIES.map((body) => JSON.stringify(body)),
    words: WORDS,
    change: changedAnswer,
    hold: holdBody,
  },
];
