/** The comments in the code. */
export type CodeComments = Readonly<Record<"body" | "equal" | "old" | "secret", string>>;

/** Programs that verify a Standard Webhooks signature without dependencies. A test runs them. */
export const verifyCode = {
  TypeScript: (comments: CodeComments): string => `import { createHmac, timingSafeEqual } from "node:crypto";

// ${comments.secret}
const secrets = [process.env.ANYFORM_WEBHOOK_SECRET ?? ""];

// ${comments.body}
export const isGenuine = (headers: Record<string, string | undefined>, body: string): boolean => {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures = "" } = headers;
  // ${comments.old}
  if (!id || !time || !(Math.abs(Date.now() / 1000 - Number(time)) < 300)) {
    return false;
  }
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const own = Buffer.from(\`v1,\${createHmac("sha256", key).update(\`\${id}.\${time}.\${body}\`).digest("base64")}\`);
    // ${comments.equal}
    return signatures.split(" ").some((each) => {
      const given = Buffer.from(each);
      return given.length === own.length && timingSafeEqual(given, own);
    });
  });
};`,
  Python: (comments: CodeComments): string => `import base64, hashlib, hmac, os, time

# ${comments.secret}
secrets = [os.environ["ANYFORM_WEBHOOK_SECRET"]]

# ${comments.body}
def is_genuine(headers: dict[str, str], body: bytes) -> bool:
    id, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    # ${comments.old}
    if not sent.isdigit() or abs(time.time() - int(sent)) > 300:
        return False
    given = headers.get("webhook-signature", "").encode().split(b" ")
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        digest = hmac.new(key, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
        # ${comments.equal}
        if any(hmac.compare_digest(each, b"v1," + base64.b64encode(digest)) for each in given):
            return True
    return False`,
} as const;

export type CodeLanguage = keyof typeof verifyCode;

export const codeLanguages = ["TypeScript", "Python"] as const satisfies readonly CodeLanguage[];
