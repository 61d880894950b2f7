import * as z from "zod/mini";
import { KEY_ORIGINS_MAX, ORIGIN_CHARACTERS_MAX } from "../../domain/accounts/account-limits.ts";
import type { KeyLimits } from "../../domain/accounts/keys.ts";
import { described } from "../../domain/conversions/options/described.ts";

/** The limits of a key that its owner sets. */

/** As browsers send it: in lowercase, without a path, and without the default port. */
const isOrigin = (text: string): boolean =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? "") && URL.parse(text)?.origin === text;

const origin = () =>
  z
    .string()
    .check(
      z.maxLength(ORIGIN_CHARACTERS_MAX),
      z.refine(isOrigin, "an origin such as https://example.com: scheme, lowercase host and port, without a path"),
    );

export const keyLimitFields = () => ({
  monthly_limit: z.optional(
    z.nullable(
      described(
        z.int().check(z.minimum(1)),
        "Requests per UTC month, within the quota of the account. Counted from when the limit is set. Null: only the quota applies.",
      ),
    ),
  ),
  allowed_origins: z.optional(
    z.nullable(
      described(
        z.array(origin()).check(z.minLength(1), z.maxLength(KEY_ORIGINS_MAX)),
        "Origins of web pages that may use the key, such as `https://example.com`. Requests without an `Origin` header, which browsers always send to other sites, are not affected. Null: all.",
      ),
    ),
  ),
});

type LimitFields = z.infer<z.ZodMiniObject<ReturnType<typeof keyLimitFields>>>;

/** @returns the limits of the key after the changes; missing fields stay unchanged, null removes a limit */
export const withLimits = (
  earlier: KeyLimits,
  { monthly_limit = earlier.monthlyLimit ?? null, allowed_origins }: LimitFields,
): KeyLimits => {
  const origins = allowed_origins === undefined ? (earlier.origins ?? null) : allowed_origins;
  return {
    ...(monthly_limit !== null && { monthlyLimit: monthly_limit }),
    ...(origins !== null && { origins: [...new Set(origins)] }),
  };
};
