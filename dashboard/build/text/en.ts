/** Texts of the pages of conversions, such as “Convert HEIC to JPG”. They are part of the pages' HTML. */
export const en = {
  heading: (source: string, target: string) => `Convert ${source} to ${target}`,
  lead: (source: string, target: string) =>
    `Drop ${source} files, select “Convert”, and download the ${target} files. Nothing is uploaded until then.`,
  description: (source: string, target: string) =>
    `Convert ${source} to ${target} in the browser or with one API call. Open source, without ads; files are deleted after at most 24 hours.`,
  result: "What you get",
  formats: (source: string, target: string) => `From ${source} to ${target}.`,
  keepsAll: "Nothing that the target format supports is lost.",
  drops: (parts: string) => `Not kept: ${parts}.`,
  merges: "Several files can be merged into one.",
  bytesMax: (size: string) => `Files up to ${size}.`,
  options: "Options",
  optionsLead: "All options are optional. In an API request, use the value of “Name”.",
  option: "Option",
  name: "Name",
  allowed: "Values",
  initial: "Default",
  notSet: "Not set",
  hint: "Description",
  code: "With the API",
  codeLead: "One request converts a file. Create a key under “API keys”.",
  privacy: "Your files",
  privacyText:
    "Files are converted on this server, each in a sandbox without network access, and are not passed on. They are deleted after at most 24 hours, or after the first download if you choose that in your account.",
  others: (source: string) => `Other conversions from ${source}`,
};
