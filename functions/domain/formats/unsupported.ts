import { at, type Magic, says } from "./format.ts";
import { signatureOf } from "./signature.ts";

/** A format that people upload and no conversion supports, with its signatures. */
interface UnsupportedFormat {
  readonly name: string;
  /** All magics of any one list must match. */
  readonly magic: readonly (readonly Magic[])[];
}

const UNSUPPORTED: readonly UnsupportedFormat[] = [
  { name: "AutoCAD drawing (DWG)", magic: [[says(0, "AC10"), at(6, "00 00 00 00 00")]] },
  { name: "InDesign document", magic: [[at(0, "06 06 ed f5 d8 1d 46 e5")]] },
  { name: "OneNote section", magic: [[at(0, "e4 52 5c 7b 8c d8 a7 4d ae b1 53 78 d0 29 96 d3")]] },
  { name: "Microsoft Reader book (LIT)", magic: [[says(0, "ITOLITLS")]] },
  { name: "Access database", magic: [[at(0, "00 01 00 00"), says(4, "Standard ")]] },
  { name: "SPSS data file", magic: [[says(0, "$FL2@(#)")], [says(0, "$FL3@(#)")]] },
  { name: "Feather version 1 file", magic: [[says(0, "FEA1")]] },
  { name: "Apache ORC file", magic: [[says(0, "ORC")]] },
  { name: "Outlook data file (PST)", magic: [[says(0, "!BDN")]] },
  { name: "Outlook TNEF attachment (winmail.dat)", magic: [[at(0, "78 9f 3e 22")]] },
  { name: "BPG image", magic: [[says(0, "BPG"), at(3, "fb")]] },
  { name: "Autodesk animation (FLIC)", magic: [[at(4, "11 af")], [at(4, "12 af")]] },
  { name: "Flash movie (SWF)", magic: [[says(0, "FWS")], [says(0, "CWS")], [says(0, "ZWS")]] },
  { name: "Blender file", magic: [[says(0, "BLENDER")]] },
  { name: "FBX model", magic: [[says(0, "Kaydara FBX Binary")]] },
  { name: "SketchUp model", magic: [[at(0, "ff fe ff 0e 53 00 6b 00 65 00 74 00 63 00 68 00")]] },
  {
    name: "Windows program",
    magic: [
      [says(0, "MZ"), at(2, "90 00 03 00")],
      [says(0, "MZ"), at(2, "50 00 02 00")],
    ],
  },
  { name: "Linux program", magic: [[at(0, "7f 45 4c 46")]] },
];

const signatures = UNSUPPORTED.map(({ name, magic }) => ({ name, matches: signatureOf(magic) }));

/** @returns the name of a known format that no conversion supports, or undefined */
export const unsupportedName = (head: Uint8Array): string | undefined =>
  signatures.find(({ matches }) => matches(head))?.name;
