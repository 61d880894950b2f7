import { at, type Format, says } from "../format.ts";

/** Videos of phones and studios, and legacy formats. */
export const rareVideoFormats = [
  {
    id: "3gp",
    name: "3GP",
    family: "video",
    extensions: ["3gp", "3gpp"],
    mediaTypes: ["video/3gpp", "audio/3gpp"],
    keeps: ["moving_pictures", "sound", "subtitles", "metadata"],
    brands: "3gp1 3gp2 3gp3 3gp4 3gp5 3gp6 3gp7 3gp8 3gp9 3gr6 3gs6 3gs7 3ge6 3ge7 3gg6".split(" "),
  },
  {
    id: "3g2",
    name: "3G2",
    family: "video",
    extensions: ["3g2", "3gp2", "3gpp2"],
    mediaTypes: ["video/3gpp2", "audio/3gpp2"],
    keeps: ["moving_pictures", "sound", "subtitles", "metadata"],
    brands: ["3g2a", "3g2b", "3g2c", "KDDI"],
  },
  {
    id: "ogv",
    name: "Ogg video",
    family: "video",
    extensions: ["ogv", "ogm", "ogx"],
    mediaTypes: ["video/ogg", "video/theora"],
    keeps: ["moving_pictures", "sound", "subtitles", "metadata", "chapters"],
  },
  {
    id: "mxf",
    name: "MXF",
    family: "video",
    extensions: ["mxf"],
    mediaTypes: ["application/mxf"],
    keeps: ["moving_pictures", "sound", "metadata"],
    // The key of a header partition pack (SMPTE ST 377-1, 7.1).
    magic: [[at(0, "06 0e 2b 34 02 05 01 01 0d 01 02 01 01 02")]],
  },
  {
    id: "rm",
    name: "RealMedia",
    family: "video",
    extensions: ["rm", "rmvb", "ra"],
    mediaTypes: ["application/vnd.rn-realmedia", "audio/vnd.rn-realaudio", "video/vnd.rn-realvideo"],
    keeps: ["moving_pictures", "sound", "metadata"],
    magic: [[says(0, ".RMF"), at(4, "00 00 00")], [at(0, "2e 72 61 fd 00")]],
  },
  {
    id: "y4m",
    name: "YUV4MPEG2",
    family: "video",
    extensions: ["y4m"],
    mediaTypes: ["video/x-yuv4mpeg", "application/x-yuv4mpeg"],
    keeps: ["moving_pictures"],
    magic: [[says(0, "YUV4MPEG2 ")]],
  },
  {
    id: "dv",
    name: "DV",
    family: "video",
    extensions: ["dv", "dif"],
    mediaTypes: ["video/x-dv", "video/dv"],
    keeps: ["moving_pictures", "sound"],
    // A header block, with either number of lines, and the subcode block after it (IEC 61834-2).
    magic: [
      [at(0, "1f 07 00 3f"), at(80, "3f 07 00")],
      [at(0, "1f 07 00 bf"), at(80, "3f 07 00")],
    ],
  },
] as const satisfies readonly Format[];
