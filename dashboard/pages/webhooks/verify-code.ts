/** What stands as a comment in the code. */
export type CodeComments = Readonly<Record<"body" | "equal" | "old" | "secret", string>>;

/** Programs that check a signature of Standard Webhooks with what their language brings. A test runs them. */
export const verifyCode = {
  TypeScript: (say: CodeComments): string => `import { createHmac, timingSafeEqual } from "node:crypto";

// ${say.secret}
const secrets = [process.env.ANYFORM_WEBHOOK_SECRET ?? ""];

// ${say.body}
export const isGenuine = (headers: Record<string, string | undefined>, body: string): boolean => {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures = "" } = headers;
  // ${say.old}
  if (!id || !time || !(Math.abs(Date.now() / 1000 - Number(time)) < 300)) {
    return false;
  }
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const own = Buffer.from(\`v1,\${createHmac("sha256", key).update(\`\${id}.\${time}.\${body}\`).digest("base64")}\`);
    // ${say.equal}
    return signatures.split(" ").some((each) => {
      const given = Buffer.from(each);
      return given.length === own.length && timingSafeEqual(given, own);
    });
  });
};`,
  Python: (say: CodeComments): string => `import base64, hashlib, hmac, os, time

# ${say.secret}
secrets = [os.environ["ANYFORM_WEBHOOK_SECRET"]]

# ${say.body}
def is_genuine(headers: dict[str, str], body: bytes) -> bool:
    id, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    # ${say.old}
    if not sent.isdigit() or abs(time.time() - int(sent)) > 300:
        return False
    given = headers.get("webhook-signature", "").encode().split(b" ")
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        digest = hmac.new(key, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
        # ${say.equal}
        if any(hmac.compare_digest(each, b"v1," + base64.b64encode(digest)) for each in given):
            return True
    return False`,
} as const;

export type CodeLanguage = keyof typeof verifyCode;

export const codeLanguages = ["TypeScript", "Python"] as const satisfies readonly CodeLanguage[];
