/** Texts of the front page for people without an account. */
export const landing = {
  title: "Convert any file",
  lead: "More than 200 formats for documents, images, audio, video and data, in the browser or with one API call. Open source, without ads.",
  samples: "No file at hand? Try one:",
  sample: { photo: "A photo (HEIC)", document: "A letter (DOCX)", film: "A video (MOV)" },
  popular: "Popular conversions",
  pair: (source: string, target: string) => `${source} to ${target}`,
  allFormats: "All formats and conversions",
  api: "One call from your program",
  apiLead:
    "Send a file, name the target format, get the result. Large files and long conversions work in the same way.",
  docs: "Quick start with your own key",
  privacy: "Private",
  privacyText:
    "Each file is converted in a sandbox without network access. Files are deleted after at most 24 hours and are not passed on.",
  price: "Free to start",
  priceText: (free: string, paid: string) =>
    `${free} requests per month are free. ${paid} requests cost €29 per month. Failed conversions due to our errors are not counted.`,
  own: "Yours to run",
  ownText:
    "Run it on your computer or server with one command, or on AWS in your own account. The source is open (Apache 2.0).",
};
