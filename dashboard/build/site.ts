import type { Plugin } from "vite";
import { type FormatPair, usualPairs } from "../../functions/domain/formats/usual-targets.ts";
import { OPERATOR_PAGES } from "../../functions/domain/site/operator-pages.ts";
import { ORIGIN_PLACEHOLDER, pageFile } from "../../functions/domain/site/page-files.ts";
import {
  APP_PATHS,
  type AppPath,
  pairPath,
  SITE_LANGUAGES,
  type SiteLanguage,
} from "../../functions/domain/site/site-paths.ts";
import { escaped, htmlPage } from "./html.ts";
import { pairArticle } from "./pair-article.ts";
import { type PairFacts, pairFacts } from "./pair-facts.ts";
import { pageHeads, siteTexts } from "./text.ts";

/** A file of the build, without a leading slash. */
interface SiteFile {
  readonly name: string;
  readonly content: string;
}

const PICTURE = `${ORIGIN_PLACEHOLDER}/picture.png`;

/** Pages of the app that search engines list. */
const PUBLIC_PATHS: ReadonlySet<string> = new Set<AppPath>([
  "/",
  "/api/v1/docs",
  "/docs",
  "/formats",
  "/plans",
  "/status",
]);

/** Pages that search engines may find by links to them: those of the operator exist only in some deployments. */
const LINKED_PATHS: ReadonlySet<string> = new Set(["/sign-in", ...OPERATOR_PAGES.map((page) => `/${page}`)]);

const urlOf = (path: string): string => `${ORIGIN_PLACEHOLDER}${path}`;

/** Adds an HTML file for each page of the app and for each usual conversion, and the list of pages for search engines. */
export const site = (): Plugin => ({
  name: "anyform-site",
  apply: "build",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      const built = bundle["index.html"];
      if (built?.type !== "asset") {
        throw new Error("The build has no index.html.");
      }
      const html = String(built.source);
      const [front, ...others] = [...APP_PATHS.map((path) => appFile(html, path)), ...pairFiles(html), sitemap()];
      built.source = front?.content ?? html;
      for (const { name, content } of others) {
        this.emitFile({ type: "asset", fileName: name, source: content });
      }
    },
  },
});

const appFile = (html: string, path: AppPath): SiteFile => {
  const { title, description } = pageHeads[path];
  const content = htmlPage(html, {
    language: "en",
    title: `${title} · Anyform`,
    description,
    url: urlOf(path),
    picture: PICTURE,
    isPublic: PUBLIC_PATHS.has(path) || LINKED_PATHS.has(path),
  });
  return { name: pageFile(path).slice(1), content };
};

const pairFiles = (html: string): readonly SiteFile[] => {
  const factsOf = pairFacts();
  return usualPairs().flatMap((pair) => {
    const facts = factsOf(pair);
    return SITE_LANGUAGES.map((language) => ({
      name: pageFile(pairPath(pair, language)).slice(1),
      content: pairFile(html, { pair, facts, language }),
    }));
  });
};

interface PairPage {
  readonly pair: FormatPair;
  readonly facts: PairFacts;
  readonly language: SiteLanguage;
}

const pairFile = (html: string, { pair, facts, language }: PairPage): string => {
  const texts = siteTexts[language];
  const names = [facts.source.short, facts.target.short] as const;
  const heading = texts.heading(...names);
  const url = urlOf(pairPath(pair, language));
  const description = texts.description(...names);
  const data = {
    "@context": "https://schema.org",
    "@type": "WebApplication",
    name: heading,
    description,
    url,
    applicationCategory: "UtilitiesApplication",
    operatingSystem: "Any",
    offers: { "@type": "Offer", price: "0", priceCurrency: "EUR" },
  };
  // JSON in a script element ends at `</`.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return htmlPage(html, {
    language,
    title: `${heading} · Anyform`,
    description,
    url,
    languages: Object.fromEntries(SITE_LANGUAGES.map((each) => [each, urlOf(pairPath(pair, each))])),
    picture: PICTURE,
    isPublic: true,
    article: `\n<script type="application/ld+json">${json}</script>\n${pairArticle(facts, language)}`,
  });
};

const sitemap = (): SiteFile => {
  const paths = [
    ...PUBLIC_PATHS,
    ...usualPairs().flatMap((pair) => SITE_LANGUAGES.map((language) => pairPath(pair, language))),
  ];
  const entries = paths.map((path) => `<url><loc>${escaped(urlOf(path))}</loc></url>`);
  return {
    name: "sitemap.xml",
    content: `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("\n")}\n</urlset>\n`,
  };
};
