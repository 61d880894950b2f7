import * as z from "zod/mini";
import { formats } from "../../formats/formats.ts";
import { described, uploadOption } from "./described.ts";

/** Maximum number of characters of a property of a document. */
const PROPERTY_CHARACTERS_MAX = 1_000;
const BOOKMARKS_MAX = 2_000;
const FIELDS_MAX = 1_000;
const FIELD_CHARACTERS_MAX = 10_000;
const LEVEL_MAX = 10;

const property = (description: string) =>
  described(z.string().check(z.maxLength(PROPERTY_CHARACTERS_MAX)), description, ["writing"]);

const fieldText = () => z.string().check(z.maxLength(FIELD_CHARACTERS_MAX));

/** What a PDF contains in addition to the content of its pages. */
export const paperDataOptions = {
  title: property("Title in the metadata of the PDF. An empty text removes it."),
  author: property("Author in the metadata of the PDF. An empty text removes it."),
  subject: property("Subject in the metadata of the PDF. An empty text removes it."),
  keywords: property("Keywords in the metadata of the PDF, separated by commas. An empty text removes them."),
  bookmarks: described(
    z
      .array(
        z.strictObject({
          title: z.string().check(z.minLength(1), z.maxLength(PROPERTY_CHARACTERS_MAX)),
          page: z.int().check(z.minimum(1)),
          level: z.optional(z.int().check(z.minimum(1), z.maximum(LEVEL_MAX))),
        }),
      )
      .check(z.maxLength(BOOKMARKS_MAX)),
    'Bookmarks that replace those of the PDF, in order: `[{"title": "Chapter 1", "page": 1}, {"title": "Part", "page": 2, ' +
      '"level": 2}]`. Pages are numbered as in the result; `level` is 1 by default. An empty list removes them.',
    ["writing"],
  ),
  form_data: described(
    z
      .record(
        z.string().check(z.minLength(1), z.maxLength(PROPERTY_CHARACTERS_MAX)),
        z.union([fieldText(), z.number(), z.boolean(), z.array(fieldText()).check(z.maxLength(FIELDS_MAX))]),
      )
      .check(
        z.refine((data) => Object.keys(data).length <= FIELDS_MAX, `an object with at most ${FIELDS_MAX} entries`),
      ),
    'Values of form fields by name: `{"name": "Ada", "subscribe": true}`. The conversion of the PDF to JSON lists the ' +
      "fields; `flatten` makes the values part of the page. Never returned.",
    ["writing"],
  ),
  attachment_upload_id: uploadOption(
    formats.map(({ id }) => id),
    "ID of an upload to attach to the PDF, in any format. A form can contain the file itself in a field with this name.",
    ["writing"],
  ),
  facturx_upload_id: uploadOption(
    ["xml"],
    "ID of an upload with the XML of an invoice (Factur-X, ZUGFeRD 2), which is attached to the PDF as PDF/A-3b. A form can " +
      "contain the file itself in a field with this name.",
    ["writing"],
  ),
} as const;
