import { typeset } from "./test/engines/support/typeset.ts"; import { readFileSync, writeFileSync } from "node:fs";
writeFileSync(process.argv[3]!, typeset(readFileSync(process.argv[2]!,"utf8")));
