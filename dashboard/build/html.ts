/** Builds the HTML files of the site from the page that Vite has built. */

const REPLACED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @returns the text with all characters escaped that end a text or an attribute in HTML */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => REPLACED[character] ?? "");

export interface HtmlPage {
  readonly language: string;
  readonly title: string;
  readonly description: string;
  /** The page's URL; it may start with a placeholder of the origin. */
  readonly url: string;
  /** URLs of the page in all languages, by language. @default none */
  readonly languages?: Readonly<Record<string, string>>;
  /** URL of the picture that messengers show with a link. */
  readonly picture: string;
  /** Whether search engines list the page. */
  readonly isPublic: boolean;
  /** HTML after the app, which moves it into its page. @default none */
  readonly article?: string;
}

/**
 * @param built the HTML of the app, as Vite has built it
 * @throws Error if it lacks one of the parts that differ between pages
 */
export const htmlPage = (built: string, page: HtmlPage): string =>
  [
    ['<html lang="en">', `<html lang="${page.language}">`],
    [/<title>[^<]*<\/title>/, `<title>${escaped(page.title)}</title>`],
    [/<meta name="description"[^>]*>/, headOf(page)],
    ['<div id="app"></div>', `<div id="app"></div>${page.article ?? ""}`],
  ].reduce((html, [part = "", replacement = ""]) => replaced(html, part, String(replacement)), built);

const replaced = (html: string, part: RegExp | string, replacement: string): string => {
  if (html.search(part) < 0) {
    throw new Error(`dashboard/index.html has no ${part}.`);
  }
  return html.replace(part, () => replacement);
};

const headOf = ({ title, description, url, languages = {}, picture, isPublic }: HtmlPage): string => {
  if (!isPublic) {
    return `${meta("name", "description", description)}\n    ${meta("name", "robots", "noindex")}`;
  }
  const alternates = Object.entries(languages).map(
    ([language, href]) => `<link rel="alternate" hreflang="${language}" href="${escaped(href)}" />`,
  );
  return [
    meta("name", "description", description),
    `<link rel="canonical" href="${escaped(url)}" />`,
    ...alternates,
    meta("property", "og:type", "website"),
    meta("property", "og:site_name", "Anyform"),
    meta("property", "og:title", title),
    meta("property", "og:description", description),
    meta("property", "og:url", url),
    meta("property", "og:image", picture),
    meta("name", "twitter:card", "summary_large_image"),
  ].join("\n    ");
};

const meta = (kind: "name" | "property", name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escaped(content)}" />`;
