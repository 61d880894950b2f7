import type { Format, Trait } from "../format.ts";

const CARRIES = ["text", "styles", "pictures", "rows"] as const satisfies readonly Trait[];

/** Lightweight markup languages, and exchange formats of publishers. */
export const markupFormats = [
  {
    id: "tex",
    name: "LaTeX",
    family: "document",
    extensions: ["tex", "latex", "ltx"],
    mediaTypes: ["application/x-tex", "application/x-latex", "text/x-tex"],
    keeps: CARRIES,
    shape: /^\s*(?:%[^\n]*\n\s*){0,100}\\(?:documentclass|documentstyle|RequirePackage|PassOptionsToPackage)\b/,
    named: "txt",
  },
  {
    id: "rst",
    name: "reStructuredText",
    family: "document",
    extensions: ["rst", "rest"],
    mediaTypes: ["text/x-rst", "text/prs.fallenstein.rst"],
    keeps: CARRIES,
    named: "txt",
  },
  {
    id: "asciidoc",
    name: "AsciiDoc",
    family: "document",
    extensions: ["adoc", "asciidoc"],
    mediaTypes: ["text/asciidoc", "text/x-asciidoc"],
    keeps: CARRIES,
    named: "txt",
  },
  {
    id: "org",
    name: "Org mode",
    family: "document",
    extensions: ["org"],
    mediaTypes: ["text/org", "text/x-org"],
    keeps: CARRIES,
    looseShape: /^\s*(?:#[^\n]*\n\s*){0,20}#\+(?:title|author|date|options|startup|filetags|property|language):/i,
    named: "txt",
  },
  {
    id: "mediawiki",
    name: "MediaWiki",
    family: "document",
    extensions: ["mediawiki", "wiki"],
    mediaTypes: ["text/x-mediawiki", "text/x-wiki"],
    keeps: CARRIES,
    named: "txt",
  },
  {
    id: "dokuwiki",
    name: "DokuWiki",
    family: "document",
    extensions: ["dokuwiki"],
    mediaTypes: ["text/x-dokuwiki"],
    keeps: CARRIES,
    named: "txt",
  },
  {
    id: "textile",
    name: "Textile",
    family: "document",
    extensions: ["textile"],
    mediaTypes: ["text/x-textile"],
    keeps: CARRIES,
    named: "txt",
  },
  {
    id: "ipynb",
    name: "Jupyter notebook",
    family: "document",
    extensions: ["ipynb"],
    mediaTypes: ["application/x-ipynb+json"],
    keeps: CARRIES,
    shape: /^\s*\{[\s\S]*?"(?:cells"\s*:\s*\[\s*\{[\s\S]*?"cell_type|nbformat)"\s*:/,
    named: "json",
  },
  {
    id: "jats",
    name: "JATS",
    family: "document",
    extensions: ["jats", "nxml"],
    mediaTypes: ["application/jats+xml"],
    keeps: CARRIES,
    // Other formats have articles too, so a document type or an attribute of JATS is required.
    shape: /<!DOCTYPE\s+article\s+PUBLIC\s+"-\/\/NLM\/|<article\b[^>]{0,2000}\b(?:article-type|dtd-version)\s*=/,
  },
  {
    id: "docbook",
    name: "DocBook",
    family: "document",
    extensions: ["docbook", "dbk"],
    mediaTypes: ["application/docbook+xml"],
    keeps: CARRIES,
    shape:
      /<!DOCTYPE\s+\w+\s+PUBLIC\s+"-\/\/OASIS\/\/DTD DocBook|\bxmlns(?::\w+)?\s*=\s*["']http:\/\/docbook\.org\/ns\/docbook["']/,
  },
  {
    id: "opml",
    name: "OPML",
    family: "document",
    extensions: ["opml"],
    mediaTypes: ["text/x-opml", "application/opml+xml"],
    keeps: ["text"],
    xmlRoots: ["opml"],
  },
  {
    id: "man",
    name: "Manual page",
    family: "document",
    extensions: ["man", "roff"],
    mediaTypes: ["application/x-troff-man", "text/troff"],
    keeps: ["text", "styles", "rows"],
    // Comments and other requests can precede the title. Each line matches in only one way: with two, sixty lines would
    // take 2^60 steps.
    shape:
      /^(?:[.']?\\["#][^\n]*\n|\.(?:[ \t.]|ie|el|if|de|ds|nr|so|mso|ad|hy|nh|tr|eqn)[^\n]*\n|'[\w \t.][^\n]*\n|[.']\r?\n|[ \t\r\f\v]*\n){0,60}\.TH[ \t]+\S/,
    named: "txt",
  },
] as const satisfies readonly Format[];
