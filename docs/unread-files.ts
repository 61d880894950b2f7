/** Valid files of the public corpus. */
export const VALID = 215;

/** A valid public file that is not converted to the main target of its family. No other installed program opens it. */
interface UnreadFile {
  readonly file: string;
  readonly format: string;
  readonly reason: string;
}

export const unread: readonly UnreadFile[] = [
  {
    file: "image/libvips__t00740_tr1_segm.hdr",
    format: "Analyze 7.5",
    reason: "only the header; the picture is in a separate `.img` file",
  },
  {
    file: "image/pillow__bc6h.dds",
    format: "DDS",
    reason: "half-float blocks (BC6H), which no installed decoder supports",
  },
  {
    file: "image/pillow__05r03.fli",
    format: "FLIC",
    reason: "FLIC is not supported; the file declares 255 bits per pixel, and ffmpeg refuses it",
  },
  {
    file: "image/file__fixture-sony-zv-e10.arw",
    format: "ARW",
    reason: "truncated at 100,000 bytes",
  },
  {
    file: "image/file__fixture.rw2",
    format: "RW2",
    reason: "only the first 128 bytes",
  },
  {
    file: "image/file__fixture4.nef",
    format: "NEF",
    reason: "only the first 128 bytes",
  },
  {
    file: "image/file__fixture.bpg",
    format: "BPG",
    reason: "no decoder in Debian",
  },
  {
    file: "document/tika__testDXF_ascii_win_newlines.dxf",
    format: "DXF",
    reason: "only the first 63 bytes",
  },
  {
    file: "document/tika__testDWG2007.dwg",
    format: "DWG",
    reason: "no reader in Debian",
  },
  {
    file: "document/transmute__drawio.drawio",
    format: "draw.io",
    reason: "XML of one program, which is not installed",
  },
  {
    file: "document/poi__Password_Protected-hello.ppt",
    format: "PPT",
    reason: "encrypted; LibreOffice does not support the encryption of PowerPoint 97",
  },
  {
    file: "audio/file__fixture.voc",
    format: "VOC",
    reason: "only the 26-byte header",
  },
  {
    file: "video/file__fixture.f4v",
    format: "F4V",
    reason: "only the first bytes",
  },
  {
    file: "archive/tika__test-documents-enc.rar",
    format: "RAR",
    reason: "encrypted, without a known password",
  },
  {
    file: "data/transmute__orc.orc",
    format: "ORC",
    reason: "no reader in Debian",
  },
  {
    file: "data/transmute__sav.sav",
    format: "SPSS",
    reason: "no reader installed",
  },
  {
    file: "data/tika__testAccess_V1997.mdb",
    format: "Access",
    reason: "no reader installed",
  },
  {
    file: "model/assimp__BoxTextured.gltf",
    format: "glTF",
    reason: "its shapes are in a separate file that is not in the project's folder",
  },
  {
    file: "subtitle/subtitleedit__sample_VodSub_nonStandardLength.sub",
    format: "VobSub",
    reason: "pictures of subtitles in a stream without video",
  },
];
