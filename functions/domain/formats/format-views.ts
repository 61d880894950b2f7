import * as z from "zod/mini";
import { described } from "../conversions/options/described.ts";
import { count, fidelity, flag, text } from "../fields.ts";

/** Formats and conversions as the API returns them: see uploads/upload-views.ts. */

export const formatSchema = described(
  z.strictObject({
    id: text("Format ID."),
    name: text("Display name."),
    family: text("Family: image, document, audio, …"),
    extensions: described(z.array(z.string()), "File extensions without the dot. Results get the first one."),
    writable: flag("Whether this server can convert files to this format."),
    targets: described(
      z.array(z.string()),
      "IDs of the formats that it can be converted to; with a filter, only of the listed conversions.",
    ),
    usual_targets: z.optional(
      described(
        z.array(z.string()),
        "IDs of the targets that people usually want, the likeliest first. Only of the format that `source` names.",
      ),
    ),
    media_types: z.optional(
      described(z.array(z.string()), "Media types. Results get the first one. Only with `conversions=true`."),
    ),
    readable: z.optional(flag("Whether this server can convert files of this format. Only with `conversions=true`.")),
    engines: z.optional(
      described(
        z.array(z.string()),
        "The engines that read or write the format, as `getHealth` names them. Only with `conversions=true`.",
      ),
    ),
  }),
  "A file format.",
);

export const conversionSchema = described(
  z.strictObject({
    source: text("ID of the source format."),
    target: text("ID of the target format."),
    fidelity: fidelity(),
    steps: described(
      z.array(
        z.strictObject({
          engine: text("The engine that runs the step."),
          from: text("ID of the source format."),
          to: text("ID of the target format."),
        }),
      ),
      "The steps from source to target.",
    ),
    drops: described(z.array(z.string()), "What the source can contain and the result loses."),
    options: described(z.record(z.string(), z.unknown()), "JSON Schema (2020-12) of the supported `options`."),
    merges: flag("Whether several source files can be merged into one result."),
    max_bytes: count("Maximum size of the source in bytes; of all sources together for a merge."),
  }),
  "A conversion that this server supports.",
);

export const formatListSchema = described(
  z.strictObject({
    formats: described(z.array(formatSchema), "The formats of the listed conversions."),
    conversions: z.optional(
      described(z.array(conversionSchema), "The listed conversions. Only with `conversions=true`."),
    ),
  }),
  "Formats and, on request, their conversions.",
);

export type FormatView = z.infer<typeof formatSchema>;
export type ConversionView = z.infer<typeof conversionSchema>;
export type FormatListView = z.infer<typeof formatListSchema>;
