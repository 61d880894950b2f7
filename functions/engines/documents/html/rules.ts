/**
 * The allowlist for HTML that we write. All other markup is removed; the content of a removed element is kept unless
 * the element is listed here.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Elements that are kept. */
export const KEPT_ELEMENTS = words(
  "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn dir " +
    "div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd li main mark menu " +
    "nav ol p pre q rb rp rt rtc ruby s samp section small span strike strong sub summary sup table tbody td tfoot th " +
    "thead time tr tt u ul var wbr",
);

/** Elements that are removed together with their content. */
export const DROPPED_ELEMENTS = words(
  "applet area audio base canvas datalist embed frame frameset head iframe link map meta noembed noframes object param " +
    "plaintext script select source style template textarea title track video xmp",
);

/** Elements that show or play external content; removing them produces a warning. */
export const MEDIA_ELEMENTS = words("applet audio embed frame iframe object video");

/** Formula elements that are kept (MathML Core); none of them loads or runs anything. */
export const FORMULA_ELEMENTS = words(
  "math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub " +
    "msubsup msup mtable mtd mtext mtr munder munderover none semantics",
);

/** Attributes that are kept on any element. */
export const KEPT_ATTRIBUTES = words("align class dir id lang title");

/** Attributes that are kept on specific elements. */
export const ELEMENT_ATTRIBUTES: Readonly<Record<string, ReadonlySet<string>>> = {
  a: words("name"),
  col: words("span width"),
  colgroup: words("span width"),
  del: words("datetime"),
  details: words("open"),
  font: words("color face size"),
  img: words("alt height width"),
  ins: words("datetime"),
  li: words("value"),
  math: words("alttext display"),
  mo: words("stretchy"),
  ol: words("reversed start type"),
  section: words("aria-label"),
  table: words("bgcolor border cellpadding cellspacing width"),
  td: words("bgcolor colspan headers height rowspan valign width"),
  th: words("abbr bgcolor colspan headers height rowspan scope valign width"),
  time: words("datetime"),
  tr: words("bgcolor valign"),
  ul: words("type"),
};

/** Maximum length in characters of an attribute that is not a picture. */
export const ATTRIBUTE_CHARACTERS_MAX = 10_000;

/** Link schemes that are kept; so are links without a scheme and links within the document. */
const LINK_SCHEMES = words("http https mailto tel ftp sftp xmpp sip sms geo doi urn news");

/**
 * @returns the target of a link, if it is allowed. Characters that browsers strip from URLs are stripped before
 * the check.
 */
export const linkOf = (href: string): string | undefined => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers take them out, so `java\tscript:` runs
  const address = href.replace(/[\u0000-\u001f\u007f]/g, "").trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  const stays = scheme === undefined ? !/^[^/?#]*:/.test(address) : LINK_SCHEMES.has(scheme);
  return stays && address.length <= ATTRIBUTE_CHARACTERS_MAX ? address : undefined;
};

/** Where a picture comes from. */
export type PictureSource = "data" | "remote" | "relative" | "other";

const PICTURE_DATA =
  /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)(?:;charset=[\w-]+)?;base64,[a-z0-9+/=\s]*$/i;

/** @returns where a picture comes from; `data` only for types that browsers show */
export const pictureSource = (source: string): PictureSource => {
  // The check of the end scans the entire string, so the scheme is checked first.
  if (/^data:/i.test(source)) {
    return PICTURE_DATA.test(source) ? "data" : "other";
  }
  if (/^\s*(?:https?:)?[/\\]{2}/i.test(source)) {
    return "remote";
  }
  return /^\s*(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(source) ? "other" : "relative";
};
