import { describe, expect, it } from "vitest";
import { htmlPage } from "../../dashboard/build/html.ts";
import { pairArticle } from "../../dashboard/build/pair-article.ts";
import { pairFacts } from "../../dashboard/build/pair-facts.ts";
import { pages } from "../../dashboard/pages.ts";
import { APP_PATHS, pairPath } from "../../functions/domain/site/site-paths.ts";

const BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta name="description" content="general" />
    <title>Anyform</title>
  </head>
  <body><div id="app"></div></body>
</html>`;

it("the site has a file for each page of the app, and for the former path of the usage page", () => {
  const own = pages.map(({ path }) => path).filter((path) => !path.includes(":"));
  expect([...APP_PATHS].sort()).toEqual([...own, "/use"].sort());
});

describe("the HTML of a page", () => {
  const page = {
    language: "de",
    title: 'A & "B"',
    description: "<b>",
    url: "__ORIGIN__/de/convert/heic-to-jpg",
    languages: { en: "__ORIGIN__/convert/heic-to-jpg" },
    picture: "__ORIGIN__/picture.png",
    isPublic: true,
    article: "<article></article>",
  };

  it("has its own language, title, description and addresses, escaped", () => {
    const html = htmlPage(BUILT, page);
    expect(html).toContain('<html lang="de">');
    expect(html).toContain("<title>A &amp; &quot;B&quot;</title>");
    expect(html).toContain('<meta name="description" content="&lt;b&gt;" />');
    expect(html).toContain('<link rel="canonical" href="__ORIGIN__/de/convert/heic-to-jpg" />');
    expect(html).toContain('<link rel="alternate" hreflang="en" href="__ORIGIN__/convert/heic-to-jpg" />');
    expect(html).toContain('<div id="app"></div><article></article>');
    expect(html).not.toContain("noindex");
  });

  it("of a page for members keeps search engines away", () => {
    const html = htmlPage(BUILT, { ...page, isPublic: false });
    expect(html).toContain('<meta name="robots" content="noindex" />');
    expect(html).not.toContain("canonical");
  });

  it("is refused if a part that differs between pages is missing", () => {
    expect(() => htmlPage("<html></html>", page)).toThrow("dashboard/index.html");
  });
});

describe("the page of a conversion", () => {
  const factsOf = pairFacts();

  it("names options with their values and defaults, losses, code and other conversions", () => {
    const html = pairArticle(factsOf(["heic", "jpg"]), "en");
    expect(html).toContain('data-target="jpg" data-heading="Convert HEIC to JPG"');
    expect(html).toContain("Not kept: transparency.");
    expect(html).toMatch(/<th scope="row">Quality<\/th>.*<td data-label="Default"><code>85<\/code><\/td>/);
    expect(html).toContain("-F target_format=jpg -o file.jpg");
    expect(html).toContain('<a href="/convert/heic-to-png">Convert HEIC to PNG</a>');
  });

  it("is translated, with links to pages in the same language", () => {
    const html = pairArticle(factsOf(["docx", "pdf"]), "de");
    expect(html).toContain('data-heading="DOCX in PDF umwandeln"');
    expect(html).toContain(`href="${pairPath(["docx", "html"], "de")}"`);
  });

  it("does not exist for formats that cannot be converted", () => {
    expect(() => factsOf(["heic", "mp3"])).toThrow("heic to mp3");
  });
});
