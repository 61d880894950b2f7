import * as z from "zod/mini";
import { described } from "./described.ts";
import { pageRanges } from "./pages.ts";

/** Names of the operations that a reader of the result may be allowed. */
export const PDF_PERMISSIONS = ["print", "copy", "modify", "annotate", "fill", "assemble"] as const;

/** The longest password of the encryption, in UTF-8 (ISO 32000-2, 7.6.4.3.2). */
const PASSWORD_BYTES_MAX = 127;

const newPassword = (description: string) =>
  described(
    z.string().check(
      z.minLength(1),
      z.maxLength(PASSWORD_BYTES_MAX),
      z.refine(
        (text) => Buffer.byteLength(text) <= PASSWORD_BYTES_MAX && !/\p{Cc}/u.test(text),
        `at most ${PASSWORD_BYTES_MAX} bytes without control characters`,
      ),
    ),
    description,
    ["writing"],
  );

/** What a PDF can be changed to without becoming another format. */
export const paperOptions = {
  compress: described(
    z.enum(["print", "ebook", "screen"]),
    "Recompress the images of a PDF: `print` to at most 220 dpi, `ebook` 150 dpi, `screen` 96 dpi. Text and drawings stay as " +
      "they are.",
    ["writing"],
  ),
  target_size: described(
    z.int().check(z.minimum(1_000), z.maximum(1_000_000_000)),
    "Maximum size of the result in bytes, with as little loss as possible: of an image by its `quality`, of a PDF by the " +
      "images in it, of a video by its bit rate and frame size. If it cannot be reached, the result is the smallest possible, with a warning.",
    ["writing"],
  ),
  rotate_pages: described(pageRanges(), "Pages to rotate, as numbered in the result: `1-3,7,9-`. Default: all.", [
    "writing",
  ]),
  flatten: described(
    z.boolean(),
    "Make form fields and annotations part of the page, so that they can no longer be changed. Default: false.",
    ["writing"],
  ),
  linearize: described(
    z.boolean(),
    "Order the PDF so that a viewer can show its first page before it has received the rest. Default: false.",
    ["writing"],
  ),
  user_password: newPassword("Encrypt the PDF (AES-256) with this password, which opens it. Never returned."),
  owner_password: newPassword(
    "Encrypt the PDF (AES-256) with this password, which lifts the restrictions of `permissions`. Never returned.",
  ),
  permissions: described(
    z.string().check(
      z.maxLength(100),
      z.refine(
        (text) => text === "none" || text.split(",").every((name) => isPermission(name.trim())),
        `\`none\`, or names separated by commas: ${PDF_PERMISSIONS.join(", ")}`,
      ),
    ),
    "What readers without the owner password may do: `none`, or of `print,copy,modify,annotate,fill,assemble`. The PDF is " +
      "encrypted; without `user_password` it opens without a password. Default: everything.",
    ["writing"],
  ),
} as const;

const isPermission = (name: string): boolean => PDF_PERMISSIONS.some((known) => known === name);
