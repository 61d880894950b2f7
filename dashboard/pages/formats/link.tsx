import { Link } from "wouter-preact";
import type { Choice } from "./find.ts";

/** Leads to a format: its extension and what people call it. */
export const FormatLink = ({ format, direction }: Choice) => (
  <Link class="formats-link" href={`/formats?${direction}=${encodeURIComponent(format.id)}`}>
    <strong>{format.extensions[0] ?? format.id}</strong> <span>{format.name}</span>
  </Link>
);
