import { parse } from "parse5";
import { decodeText } from "../../../functions/engines/data/text/text.ts";
import { cleanTree } from "../../../functions/engines/documents/html/clean.ts";
import { cleanHtml } from "../../../functions/engines/documents/html/html.ts";
import { parseHtml } from "../../../functions/engines/documents/html/tree.ts";
import { htmlOfMarkdown } from "../../../functions/engines/documents/markup/from-markdown.ts";
import { htmlOfText } from "../../../functions/engines/documents/markup/plain-text.ts";
import { markdownOf } from "../../../functions/engines/documents/markup/to-markdown.ts";
import { htmlOfBook } from "../../../functions/engines/documents/mobi/book.ts";
import { readEml } from "../../../functions/engines/mail/mail/eml.ts";
import { splitMbox } from "../../../functions/engines/mail/mail/mbox.ts";
import { readMsg } from "../../../functions/engines/mail/mail/msg.ts";
import { asEml, asHtml, asText, asValue } from "../../../functions/engines/mail/mail/write.ts";
import { checkDrawing } from "../../../functions/engines/pictures/svg/check.ts";
import { sample } from "../../engines/support/attacks/attack.ts";
import { broken, type Parser } from "../parser.ts";

/** Elements that run code, load resources or send data. */
const ACTIVE = new Set(["script", "iframe", "object", "embed", "base", "form", "frame", "applet", "portal"]);

interface Node {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Node[];
}

/** As a browser parses it: nothing in it runs, and nothing is fetched when it is opened. */
export const checkSafe = (html: string): void => {
  const open: Node[] = [parse(html)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const wrong = node.attrs?.find(
      ({ name, value }) =>
        /^on/i.test(name) ||
        /^(?:javascript|vbscript):/i.test(value.replaceAll(/[\s\p{Cc}]/gu, "")) ||
        (/^(?:src|srcset|poster|background|data|action|formaction)$/.test(name) &&
          /^\s*(?:https?:|\/\/|file:)/i.test(value)),
    );
    if (wrong !== undefined || ACTIVE.has(node.nodeName)) {
      throw broken("A page runs and loads nothing", { element: node.nodeName, ...wrong });
    }
    open.push(...(node.childNodes ?? []));
  }
};

/** Formulas stay TeX: the fuzzer starts no programs. */
const NO_HELPER = { folder: "/nonexistent" };

const holdHtml = async (input: Buffer): Promise<void> => {
  const { html } = cleanHtml(input.toString());
  checkSafe(html);
  checkSafe(cleanHtml(html).html);
  const again = await htmlOfMarkdown(markdownOf(cleanTree(parseHtml(input.toString())).body), NO_HELPER);
  checkSafe(cleanHtml(again.html).html);
};

const holdMarkdown = async (input: Buffer): Promise<void> => {
  const { html, title } = await htmlOfMarkdown(input.toString(), NO_HELPER);
  checkSafe(cleanHtml(html, { title, references: "relative" }).html);
  checkSafe(htmlOfText(input.toString()));
};

/** A message can be shown, listed and written again, and every attachment has a name. */
const holdMail = async (input: Buffer): Promise<void> => {
  for (const one of splitMbox(input)) {
    await readEml(one);
  }
  const message = await readEml(input);
  checkSafe(asHtml(message).html);
  asText(message);
  JSON.stringify(asValue(message));
  await readEml(await asEml(message));
};

const holdMsg = (input: Buffer): void => {
  const message = readMsg(input);
  checkSafe(asHtml(message).html);
  JSON.stringify(asValue(message));
};

const HTML = [
  "<p>",
  "</p>",
  "<table>",
  "<td>",
  "<script>",
  "</title>",
  "<svg>",
  "<style>",
  "<!--",
  "-->",
  "<![CDATA[",
  "&lt;",
  "&#x6a;",
  ' onload="',
  ' src="http://a"',
  ' style="background:url(http://a)"',
  ' href="java\tscript:x"',
  "<math>",
  "<template>",
  "<noscript>",
  "<select>",
];
const MARKS = [
  "# ",
  "> ",
  "- ",
  "1. ",
  "```",
  "~~~",
  "|",
  "|-|-|\n",
  "[a](b)",
  "![a](b)",
  "[^1]",
  "**",
  "_",
  "~~",
  "<b>",
  "&amp;",
  "---\n",
  "\\",
  "    ",
  "[ ] ",
  "$",
  "http://a.b",
];
const HEADS = [
  "\r\n",
  "Content-Type: multipart/mixed; boundary=b\r\n",
  "--b\r\n",
  "--b--",
  "Content-Transfer-Encoding: base64\r\n",
  "quoted-printable",
  "=?utf-8?B?w6k=?=",
  "=?iso-8859-1?Q?=E9?=",
  "From ",
  "filename*0*=utf-8''a",
  "Content-Type: message/rfc822\r\n\r\n",
  "(",
  ";",
  "<a@b.c>",
];
const DRAWING = [
  "<svg",
  "<g>",
  "</g>",
  '<use href="#a"/>',
  ' id="a"',
  "<!ENTITY a 'b'>",
  "&a;",
  "<filter",
  "<feGaussianBlur/>",
  ' filter="url(#a)"',
  "<text>",
  "<image",
  "'",
  '"',
  "<![CDATA[",
  "<!--",
];

export const pageParsers: readonly Parser[] = [
  {
    name: "html",
    sources: ["functions/engines/documents/html/", "functions/engines/documents/markup/to-markdown.ts"],
    samples: () => [
      sample("html"),
      '<p style="color:red">a<br>b</p><ul><li>x<table><tr><th colspan=2>y</table>',
      sample("svg"),
    ],
    words: HTML,
    hold: holdHtml,
  },
  {
    name: "md",
    sources: ["functions/engines/documents/markup/"],
    samples: () => [
      sample("md"),
      "---\ntitle: a\n---\n# b\n\n| a | b |\n|:-|-:|\n| c | d |\n\n- [x] e\n\n[^1]: f\n\ng[^1]\n",
    ],
    words: MARKS,
    hold: holdMarkdown,
  },
  {
    name: "drawing",
    sources: ["functions/engines/pictures/svg/"],
    samples: () => [
      sample("svg"),
      '<svg><defs><g id="a"><path/></g></defs><use xlink:href="#a"/><filter id="f"><feBlend/></filter></svg>',
    ],
    words: DRAWING,
    hold: (input) => checkDrawing(input),
  },
  {
    name: "eml",
    sources: ["functions/engines/mail/"],
    samples: () => [sample("eml"), sample("mbox")],
    words: HEADS,
    hold: holdMail,
  },
  {
    name: "msg",
    sources: ["functions/engines/mail/"],
    samples: () => [sample("msg")],
    words: ["\0\0\0\0", "\xff\xff\xff\xff", "_\0_\0"],
    hold: holdMsg,
  },
  {
    name: "mobi",
    sources: ["functions/engines/documents/mobi/"],
    samples: () => [sample("mobi"), sample("azw3")].filter(({ length }) => length <= 65_536),
    words: ["MOBI", "EXTH", "INDX", "TAGX", "FDST", "HUFF", "CDIC", "\xff\xff\xff\xff"],
    hold: (input) => checkSafe(htmlOfBook(input).html),
  },
  {
    name: "encoding",
    sources: ["functions/engines/data/text/text.ts"],
    samples: () => [
      sample("txt").subarray(0, 2_000),
      Buffer.from("\ufeffüöä", "utf16le"),
      Buffer.from("Grüße, Ähre", "latin1"),
    ],
    words: ["\xff\xfe", "\xfe\xff", "\xef\xbb\xbf", "\x1b$B", "\xe9", "\0"],
    hold: (input) => {
      decodeText(input.subarray(0, 4_096));
    },
  },
];
