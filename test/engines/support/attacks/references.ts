import type { Attack } from "./attack.ts";
import { documents } from "./references/documents.ts";
import { drawings } from "./references/drawings.ts";
import { mail } from "./references/mail.ts";
import { archives, maps, models } from "./references/maps.ts";
import type { Places } from "./references/targets.ts";
import { books, texts, trees } from "./references/texts.ts";

/** Files with external references. Each refers to all targets in every way that its format supports. */
export const references = (places: Places): readonly Attack[] =>
  [drawings, texts, books, trees, mail, documents, maps, models, archives].flatMap((of) => of(places));
