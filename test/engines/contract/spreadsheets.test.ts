import { contract } from "./contract.ts";
import { tableChecks } from "./tables.ts";

contract("spreadsheet", tableChecks);
