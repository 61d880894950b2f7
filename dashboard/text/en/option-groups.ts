/** Names of the groups of options. */
export const optionGroups: Readonly<Record<string, string>> = {
  pages: "Pages",
  size: "Quality and size",
  picture: "Image",
  text: "Text recognition and encoding",
  table: "Tables",
  watermark: "Watermark",
  page_numbers: "Page numbers",
  security: "Passwords and permissions",
  metadata: "Metadata",
  attachments: "Attachments and forms",
  video: "Video",
  audio: "Audio",
  web: "Loading the page",
  other: "More",
};
