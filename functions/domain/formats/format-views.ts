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
    media_types: described(z.array(z.string()), "Media types. Results get the first one."),
    readable: flag("Whether this server can convert files of this format."),
    writable: flag("Whether this server can convert files to this format."),
    engines: described(z.array(z.string()), "The engines that read or write the format, as `getHealth` names them."),
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
    formats: described(z.array(formatSchema), "The formats of the conversions."),
    conversions: described(
      z.array(conversionSchema),
      "Every conversion that this server supports. Empty with `conversions=false`.",
    ),
  }),
  "Formats and conversions.",
);

export type FormatListView = z.infer<typeof formatListSchema>;
