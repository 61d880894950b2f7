import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take over 20 s, the longest first, so that none of them runs alone at the end. */
export const LONG = [
  "e2e/service-conversions-aws",
  "e2e/service-accounts-aws",
  "dashboard/browser/layout",
  "e2e/service-accounts",
  "engines/hostile-families",
  "engines/contract/audio",
  "engines/contract/images",
  "engines/contract/video",
  "engines/contract/documents",
  "chaos/chaos",
  "client/python",
  "client/python-types",
  "e2e/service-conversions",
  "e2e/hostile",
  "adapters/dynamo/contention",
  "client/command-watch",
  "client/command",
  "e2e/pairs",
  "e2e/faults",
  "infra/settings",
  "client/command-account",
  "local/accounts/accounts",
  "local/sqlite/power-cut",
  "local/compiled-engines",
  "e2e/gotenberg",
  "layers/build",
  "infra/bundle",
  "dashboard/browser/conveniences",
  "dashboard/browser/convert",
  "e2e/crowd",
  "e2e/large-uploads",
  "dashboard/browser/account",
  "e2e/fuzz",
  "layers/lambda",
].map((name) => `test/${name}.test.ts`);

const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const rank = LONG.findIndex((path) => moduleId.endsWith(path));
  // A process is used again only if the next file can share it, too.
  return rank === -1 ? LONG.length + Number(!project.config.isolate) : rank;
};

/** The order of test files: long ones first, then the others, those that share processes last, each in Vitest's order. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
