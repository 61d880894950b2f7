import apiGuide from "../../../docs/api.md?raw";
import clients from "../../../docs/clients.md?raw";

/** A part of the project's documentation. The files in `docs/` are its only source. */
export interface Guide {
  readonly id: string;
  readonly title: string;
  /** Markdown without the title. */
  readonly text: string;
}

/** The start of the guide before its first heading. */
const OVERVIEW = "overview";

/** @returns the ID of a heading, such as `waiting-for-the-result` */
const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** @returns the sections of a Markdown text; the text before the first one is `overview` */
const sectionsOf = (text: string): readonly Guide[] =>
  text.split(/^## /m).map((part, index) => {
    const end = part.indexOf("\n");
    const title = index === 0 ? "Overview" : part.slice(0, end).trim();
    return { id: index === 0 ? OVERVIEW : slug(title), title, text: part.slice(end + 1).trim() };
  });

/** @returns a whole file as one guide, with the sections as headings */
const wholeGuide = (id: string, text: string): Guide => {
  const end = text.indexOf("\n");
  return {
    id,
    title: text.slice(0, end).replace(/^#\s*/, ""),
    text: text
      .slice(end + 1)
      .trim()
      .replace(/^(#{2,}) /gm, "#$1 "),
  };
};

/** The guides in the order of the navigation. */
export const guides: readonly Guide[] = [...sectionsOf(apiGuide), wholeGuide("clients", clients)];

/** Files of the documentation that the reference has as a topic. */
const TOPICS: Readonly<Record<string, string>> = { "errors.md": "#errors", "clients.md": "#clients" };

/** @returns where a link of a guide leads; undefined for other files of the documentation */
export const guideHref = (href: string): string | undefined =>
  /^[\w-]+\.md/.test(href) ? TOPICS[href.replace(/#.*/, "")] : href;
