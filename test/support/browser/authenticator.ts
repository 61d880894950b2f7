import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/**
 * A software authenticator including the part of the browser: it creates passkeys (ES256, attestation `none`) and
 * answers challenges as specified by Web Authentication, level 3. It answers correctly unless a test overrides that.
 */
export interface Authenticator {
  /** @param options the parameter of `navigator.credentials.create` */
  create(options: CreationOptions, lies?: Lies): Made;
  /** @param options the parameter of `navigator.credentials.get`. It answers with the latest passkey. */
  get(options: RequestOptions, lies?: Lies): object;
}

export interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

export interface Made {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Wrong answers. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly counter?: number;
  readonly type?: string;
  readonly userHandle?: string;
  /** Signs with a key other than the passkey's. */
  readonly strangersKey?: true;
  /** As if nobody had touched it. */
  readonly untouched?: true;
}

/** @param origin of the requesting page */
export const authenticator = (origin: string): Authenticator => {
  const id = randomBytes(16);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  let userHandle = "";
  let uses = 0;
  const credential = (response: object): Made => ({
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key",
    clientExtensionResults: {},
    authenticatorAttachment: "platform",
    response,
  });
  return {
    create: ({ challenge, rp, user }, lies = {}) => {
      userHandle = user.id;
      const clientDataJSON = clientData({ type: "webauthn.create", challenge, origin }, lies);
      const attested = [Buffer.alloc(16), uint16(id.length), id, coseKey(publicKey)];
      const authData = authenticatorData(lies.rpId ?? rp.id, ATTESTED, lies.counter ?? 0, lies, attested);
      // {"fmt": "none", "attStmt": {}, "authData": …} in CBOR
      const attestationObject = cborMap([
        ["fmt", cborText("none")],
        ["attStmt", Buffer.from([0xa0])],
        ["authData", cborBytes(authData)],
      ]);
      return credential({
        clientDataJSON: clientDataJSON.toString("base64url"),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal", "hybrid"],
      });
    },
    get: ({ challenge, rpId }, lies = {}) => {
      uses += 1;
      const clientDataJSON = clientData({ type: "webauthn.get", challenge, origin }, lies);
      const data = authenticatorData(lies.rpId ?? rpId, 0, lies.counter ?? uses, lies);
      const signed = Buffer.concat([data, createHash("sha256").update(clientDataJSON).digest()]);
      const key = lies.strangersKey ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey : privateKey;
      return credential({
        clientDataJSON: clientDataJSON.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, key).toString("base64url"),
        userHandle: lies.userHandle ?? userHandle,
      });
    },
  };
};

const clientData = (truth: { type: string; challenge: string; origin: string }, lies: Lies): Buffer => {
  const { type = truth.type, challenge = truth.challenge, origin = truth.origin } = lies;
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
};

/** Bits of the flags: user present, user verified, attested credential data included. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

const authenticatorData = (
  rpId: string,
  flags: number,
  counter: number,
  { untouched }: Lies,
  attested: readonly Buffer[] = [],
): Buffer => {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const here = untouched ? 0 : PRESENT | VERIFIED;
  return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags | here]), count, ...attested]);
};

/** The public key in COSE format (RFC 9053, 7.1.1): EC2, ES256, P-256, x, y. */
const coseKey = (key: KeyObject): Buffer => {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const coordinates = [x, y].map((text) => cborBytes(Buffer.from(text, "base64url")));
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = coordinates;
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    first,
    Buffer.from([0x22]),
    second,
  ]);
};

const uint16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};

/**
 * Texts are shorter than 24 bytes, byte strings longer than that and shorter than 64 kB, maps have fewer than 24
 * entries.
 */
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
const cborBytes = (bytes: Buffer): Buffer => {
  const { length } = bytes;
  return Buffer.concat([length < 256 ? Buffer.from([0x58, length]) : Buffer.from([0x59, ...uint16(length)]), bytes]);
};
const cborMap = (entries: readonly (readonly [string, Buffer])[]): Buffer =>
  Buffer.concat([Buffer.from([0xa0 | entries.length]), ...entries.flatMap(([name, value]) => [cborText(name), value])]);
