import { isDeepStrictEqual } from "node:util";
import { dialectOf } from "../../../functions/engines/io/csv-dialect.ts";
import { type CsvRow, type Dialect, readCsv } from "../../../functions/engines/io/csv-reader.ts";
import { csvText } from "../../../functions/engines/io/csv-writer.ts";
import { recordsEngine } from "../../../functions/engines/records.ts";
import { sample } from "../../engines/support/attacks/attack.ts";
import { taskOf } from "../../engines/support/task.ts";
import { broken, type Parser, type Place } from "../parser.ts";

const rowsOf = async (bytes: Uint8Array, dialect: Dialect, place: Place): Promise<CsvRow[]> => {
  const rows: CsvRow[] = [];
  for await (const some of readCsv(place.file(bytes), dialect)) {
    rows.push(...some);
  }
  return rows;
};

/** No cell is lost on the way through the writer and back. */
const holdCsv = async (input: Buffer, place: Place): Promise<void> => {
  const dialect = await dialectOf(place.file(input));
  const rows = await rowsOf(input, dialect, place);
  const again = await rowsOf(Buffer.from(`\ufeff${csvText(rows, ",")}`), { delimiter: ",", skipped: 0 }, place);
  if (!isDeepStrictEqual(rows, again)) {
    const at = rows.findIndex((row, index) => !isDeepStrictEqual(row, again[index]));
    throw broken("A table is read as it was written", [dialect, rows[at], again[at]]);
  }
};

const through =
  (from: "csv" | "json" | "ndjson" | "dbf", to: "csv" | "json" | "ndjson") =>
  async (input: Buffer, place: Place): Promise<void> => {
    await recordsEngine.convert(taskOf({ input: place.file(input), output: place.fresh(), from, to }, place.folder()));
  };

const RECORDS = [
  "functions/engines/records/",
  "functions/engines/records.ts",
  "functions/engines/io/json-",
  "functions/engines/io/csv-",
];

export const tableParsers: readonly Parser[] = [
  {
    name: "csv",
    sources: [
      "functions/engines/io/csv-reader.ts",
      "functions/engines/io/csv-dialect.ts",
      "functions/engines/io/csv-writer.ts",
    ],
    samples: () => [sample("csv"), 'sep=;\na;"b""c";\r\n;;"\n"\r', sample("tsv")],
    words: [",", ";", "\t", "|", '"', '""', "\r", "\r\n", "\n", "sep=|\n", "\ufeff", '",', ',"'],
    hold: holdCsv,
  },
  {
    name: "records-csv",
    sources: RECORDS,
    samples: () => [sample("csv"), sample("tsv")],
    words: [",", '"', "\n", "true", "1.10", "00", "2025-01-01", "null", "=1+1", "__proto__"],
    hold: through("csv", "json"),
  },
  {
    name: "records-json",
    sources: RECORDS,
    samples: () => [sample("json"), '[{"a":1,"b":{"c":[1,2]}},{"a":null,"d":"x"}]', '{"rows":[[1,2],[3]]}'],
    words: ['{"a":', "[", "]", "}", ",", '"', "1e999", "null", "\\u0000", '"__proto__":', " ", "\\"],
    hold: through("json", "csv"),
  },
  {
    name: "records-ndjson",
    sources: RECORDS,
    samples: () => [sample("ndjson")],
    words: ['{"a":', "[", "]", "}", ",", '"', "\n", "\r\n", "null", "\\u0000"],
    hold: through("ndjson", "csv"),
  },
  {
    name: "dbf",
    sources: RECORDS,
    samples: () => [sample("dbf")],
    words: ["\r", " ", "*", "N", "C", "D", "M", "\x1a"],
    hold: through("dbf", "json"),
  },
];
