import type { Format } from "../format.ts";

/** Tables and spreadsheets. */
export const tableFormats = [
  {
    id: "csv",
    name: "CSV",
    family: "data",
    extensions: ["csv"],
    mediaTypes: ["text/csv", "application/csv"],
    carries: ["rows"],
    hub: true,
    named: "txt",
  },
  {
    id: "xlsx",
    name: "Excel",
    family: "spreadsheet",
    extensions: ["xlsx", "xlsm", "xltx", "xltm"],
    mediaTypes: ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    carries: ["rows", "sheets", "formulas", "types", "styles"],
    members: ["xl/"],
  },
] as const satisfies readonly Format[];
