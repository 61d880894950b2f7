import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take over 20 s, the longest first, so that none of them runs alone at the end. */
export const LONG = [
  "e2e/service-accounts-aws",
  "e2e/service-conversions-aws",
  "e2e/service-conversions",
  "e2e/service-accounts",
  "engines/hostile-families",
  "engines/contract/audio",
  "engines/contract/images",
  "engines/contract/video",
  "engines/contract/documents",
  "dashboard/browser/layout",
  "client/python",
  "e2e/faults",
  "e2e/hostile",
  "client/command-watch",
  "chaos/chaos",
  "infra/bundle",
  "local/accounts/accounts",
  "layers/lambda",
  "adapters/dynamo-contention",
  "client/command",
  "client/command-account",
  "dashboard/browser/convert",
  "e2e/pairs",
  "layers/build",
  "e2e/crowd",
].map((name) => `test/${name}.test.ts`);

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONG.findIndex((path) => moduleId.endsWith(path));
  return rank === -1 ? LONG.length : rank;
};

/** The order of test files: long ones first, the others in Vitest's order. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
