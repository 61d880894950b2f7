import { at, type Format, says } from "../format.ts";

/** Telephone audio, and music that is stored as notes and samples. */
export const rareAudioFormats = [
  {
    id: "amr",
    name: "AMR",
    family: "audio",
    extensions: ["amr", "awb"],
    mediaTypes: ["audio/amr", "audio/amr-wb"],
    keeps: ["sound"],
    magic: [[says(0, "#!AMR\n")], [says(0, "#!AMR-WB\n")]],
  },
  {
    id: "spx",
    name: "Speex",
    family: "audio",
    extensions: ["spx"],
    mediaTypes: ["audio/speex", "audio/x-speex"],
    keeps: ["sound", "metadata"],
  },
  {
    id: "mod",
    name: "ProTracker module",
    family: "audio",
    extensions: ["mod"],
    mediaTypes: ["audio/mod", "audio/x-mod"],
    keeps: ["sound", "metadata"],
  },
  {
    id: "xm",
    name: "FastTracker module",
    family: "audio",
    extensions: ["xm"],
    mediaTypes: ["audio/xm", "audio/x-xm"],
    keeps: ["sound", "metadata"],
    magic: [[says(0, "Extended Module: "), at(37, "1a")]],
  },
  {
    id: "it",
    name: "Impulse Tracker module",
    family: "audio",
    extensions: ["it"],
    mediaTypes: ["audio/it", "audio/x-it"],
    keeps: ["sound", "metadata"],
    // The name is followed by the numbers of patterns and samples; no module has 256 instruments.
    magic: [[says(0, "IMPM"), at(33, "00"), at(35, "00")]],
  },
  {
    id: "s3m",
    name: "Scream Tracker module",
    family: "audio",
    extensions: ["s3m"],
    mediaTypes: ["audio/s3m", "audio/x-s3m"],
    keeps: ["sound", "metadata"],
    magic: [[at(29, "10"), says(44, "SCRM")]],
  },
  {
    id: "mid",
    name: "MIDI",
    family: "audio",
    extensions: ["mid", "midi", "kar", "rmi", "smf"],
    mediaTypes: ["audio/midi", "audio/x-midi", "audio/mid", "audio/sp-midi"],
    keeps: ["sound"],
    // A Standard MIDI File, alone or in a RIFF file.
    magic: [
      [says(0, "MThd"), at(4, "00 00 00 06")],
      [says(0, "RIFF"), says(8, "RMID")],
    ],
  },
  {
    id: "voc",
    name: "Creative Voice",
    family: "audio",
    extensions: ["voc"],
    mediaTypes: ["audio/x-voc"],
    keeps: ["sound"],
    magic: [[says(0, "Creative Voice File"), at(19, "1a")]],
  },
  {
    id: "shn",
    name: "Shorten",
    family: "audio",
    extensions: ["shn"],
    mediaTypes: ["audio/x-shorten", "application/x-shorten"],
    keeps: ["sound"],
    magic: [[says(0, "ajkg")]],
  },
] as const satisfies readonly Format[];
