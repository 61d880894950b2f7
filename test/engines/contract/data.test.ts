import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { formatOf } from "../../../functions/domain/formats/formats.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH } from "../support/pictures/picture.ts";
import { type Check, contract } from "./contract.ts";
import { isTreeSample, treeChecks } from "./structured.ts";
import { isTableSample, tableChecks } from "./tables.ts";

/** An image becomes a description of the file. */
const describesPicture: Check = ({ path }) => {
  const size = { width: PICTURE_WIDTH, height: PICTURE_HEIGHT };
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject(size);
};

contract("data", {
  ...treeChecks,
  ...tableChecks,
  json: (result) =>
    formatOf(result.from).family === "image"
      ? describesPicture(result)
      : (isTableSample(result.from) && !isTreeSample(result.from) ? tableChecks.json : treeChecks.json)?.(result),
});
