import type { Attack } from "./attack.ts";
import { documents } from "./references/documents.ts";
import { drawings } from "./references/drawings.ts";
import { mail } from "./references/mail.ts";
import { archives, maps, models } from "./references/maps.ts";
import type { Places } from "./references/places.ts";
import { books, texts, trees } from "./references/texts.ts";

/** Files that refer to what lies outside of them. Each names all places in every way that its format has. */
export const references = (places: Places): readonly Attack[] =>
  [drawings, texts, books, trees, mail, documents, maps, models, archives].flatMap((of) => of(places));
