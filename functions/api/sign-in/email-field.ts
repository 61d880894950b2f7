import * as z from "zod/mini";
import { described } from "../../domain/conversions/options/described.ts";
import { EMAIL_CHARACTERS_MAX } from "../../domain/sessions/sign-in-limits.ts";

/**
 * Accepted by every mail server, and safe in a header: unquoted (RFC 5322, 3.4.1) and ASCII. A host without a dot is
 * allowed, because a machine can send mail to itself.
 */
const EMAIL =
  /^\s*[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\s*$/;

const LOCAL_CHARACTERS_MAX = 64;

const email = z.string().check(
  z.maxLength(EMAIL_CHARACTERS_MAX),
  z.regex(EMAIL, "an email address such as you@example.com"),
  z.refine((text) => text.trim().indexOf("@") <= LOCAL_CHARACTERS_MAX, "an email address"),
);

export const emailField = (description: string) => described(z.clone(email), description);

/** @returns the address as it is stored: email addresses are case-insensitive */
export const normalEmail = (text: string): string => text.trim().toLowerCase();

/** @returns whether the service can send mail to the address */
export const isEmail = (text: string): boolean => email.safeParse(text).success;
