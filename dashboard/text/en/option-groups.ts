/** Names of the groups of options. */
export const optionGroups: Readonly<Record<string, string>> = {
  pages: "Pages",
  size: "Size and orientation",
  appearance: "Appearance",
  watermark: "Watermark",
  text: "Text",
  tables: "Tables",
  time: "Time",
  video: "Video",
  audio: "Audio",
  compression: "Quality and compression",
  metadata: "Metadata",
  forms: "Forms",
  files: "Attachments and archiving",
  security: "Passwords and permissions",
  loading: "Loading the page",
  other: "More",
};
