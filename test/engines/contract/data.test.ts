import { contract } from "./contract.ts";
import { isTableSample, tableChecks } from "./tables.ts";
import { isTreeSample, treeChecks } from "./structured.ts";

contract("data", {
  ...treeChecks,
  ...tableChecks,
  json: (result) =>
    (isTableSample(result.from) && !isTreeSample(result.from) ? tableChecks.json : treeChecks.json)?.(result),
});
