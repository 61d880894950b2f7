import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { dialectOf } from "../../../functions/engines/data/csv/dialect.ts";
import { type CsvRow, type Dialect, readCsv } from "../../../functions/engines/data/csv/reader.ts";
import { csvText } from "../../../functions/engines/data/csv/writer.ts";
import { textTablesEngine } from "../../../functions/engines/data/text-tables.ts";
import { geoPointsEngine } from "../../../functions/engines/maps/geo-points.ts";
import { sample } from "../../engines/support/attacks/attack.ts";
import { fixture } from "../../engines/support/fixtures.ts";
import { changedJson } from "../grammars/json.ts";
import { csvOf, dbfOf } from "../grammars/tables.ts";
import { broken, type Parser, type Workspace } from "../parser.ts";
import { converted, through, toMap } from "../through.ts";

const rowsOf = async (bytes: Uint8Array, dialect: Dialect, workspace: Workspace): Promise<CsvRow[]> => {
  const rows: CsvRow[] = [];
  for await (const some of readCsv(workspace.file(bytes), dialect)) {
    rows.push(...some);
  }
  return rows;
};

/** No cell is lost when a table is written and read again. */
const holdCsv = async (input: Buffer, workspace: Workspace): Promise<void> => {
  const dialect = await dialectOf(workspace.file(input));
  const rows = await rowsOf(input, dialect, workspace);
  const again = await rowsOf(Buffer.from(`\ufeff${csvText(rows, ",")}`), { delimiter: ",", skipped: 0 }, workspace);
  if (!isDeepStrictEqual(rows, again)) {
    const at = rows.findIndex((row, index) => !isDeepStrictEqual(row, again[index]));
    throw broken("A table is read as it was written", [dialect, rows[at], again[at]]);
  }
};

/** The JSON output is valid, whatever the table contains. */
const toJson =
  (from: "csv" | "dbf") =>
  async (input: Buffer, workspace: Workspace): Promise<void> => {
    JSON.parse((await converted(textTablesEngine, input, [from, "json"], workspace)).toString());
  };

const FROM_JSON = [
  "functions/engines/data/text-tables/from-json.ts",
  "functions/engines/data/json/",
  "functions/engines/data/csv/writer.ts",
];
const INTO_JSON = ["functions/engines/data/json/layout.ts", "functions/engines/data/json/writer.ts"];
const JSON_WORDS = ["a", "b", "__proto__", "rows", "data", "1.10", "12345678901234567890"];

export const tableParsers: readonly Parser[] = [
  {
    name: "csv",
    sources: [
      "functions/engines/data/csv/reader.ts",
      "functions/engines/data/csv/dialect.ts",
      "functions/engines/data/csv/writer.ts",
    ],
    samples: () => [sample("csv"), 'sep=;\na;"b""c";\r\n;;"\n"\r', sample("tsv")],
    words: [",", ";", "\t", "|", '"', '""', "\r", "\r\n", "\n", "sep=|\n", "\ufeff", '",', ',"'],
    change: (_, random) => csvOf(random),
    hold: holdCsv,
  },
  {
    name: "records-csv",
    sources: ["functions/engines/data/text-tables/from-csv.ts", "functions/engines/data/csv/", ...INTO_JSON],
    samples: () => [sample("csv"), sample("tsv")],
    words: [",", '"', "\n", "true", "1.10", "00", "2025-01-01", "null", "=1+1", "__proto__"],
    change: (_, random) => csvOf(random),
    hold: toJson("csv"),
  },
  {
    name: "records-json",
    sources: FROM_JSON,
    change: changedJson(JSON_WORDS),
    samples: () => [sample("json"), '[{"a":1,"b":{"c":[1,2]}},{"a":null,"d":"x"}]', '{"rows":[[1,2],[3]]}'],
    words: ['{"a":', "[", "]", "}", ",", '"', "1e999", "null", "\\u0000", '"__proto__":', " ", "\\"],
    hold: through(textTablesEngine, "json", "csv"),
  },
  {
    name: "records-ndjson",
    sources: FROM_JSON,
    samples: () => [sample("ndjson")],
    words: ['{"a":', "[", "]", "}", ",", '"', "\n", "\r\n", "null", "\\u0000"],
    hold: through(textTablesEngine, "ndjson", "csv"),
  },
  {
    name: "dbf",
    sources: ["functions/engines/records/dbf", "functions/engines/data/text-tables/dos-pages.ts", ...INTO_JSON],
    samples: () => [sample("dbf")],
    words: ["\r", " ", "*", "N", "C", "D", "M", "\x1a"],
    change: (_, random) => dbfOf(random),
    hold: toJson("dbf"),
  },
  {
    name: "places-csv",
    sources: ["functions/engines/maps/geo-points/csv.ts", "functions/engines/data/csv/"],
    samples: () => [readFileSync(fixture("sample-geo.csv")), "lat;lon\n48,1;11,5\n"],
    words: [",", '"', "\n", "lat", "lon", "longitude", "48.1", "-181", "x"],
    change: (_, random) => csvOf(random),
    hold: toMap(geoPointsEngine, "csv"),
  },
];
