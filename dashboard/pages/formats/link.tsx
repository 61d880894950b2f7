import { Link } from "wouter-preact";
import type { Choice } from "./search.ts";

/** A link to a format: its extension and name. */
export const FormatLink = ({ format, direction }: Choice) => (
  <Link class="formats-link" href={`/formats?${direction}=${encodeURIComponent(format.id)}`}>
    <strong>{format.extensions[0] ?? format.id}</strong> <span>{format.name}</span>
  </Link>
);
