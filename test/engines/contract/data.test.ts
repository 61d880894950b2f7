import { contract } from "./contract.ts";
import { isTreeSample, treeChecks } from "./structured.ts";
import { isTableSample, tableChecks } from "./tables.ts";

contract("data", {
  ...treeChecks,
  ...tableChecks,
  json: (result) =>
    (isTableSample(result.from) && !isTreeSample(result.from) ? tableChecks.json : treeChecks.json)?.(result),
});
