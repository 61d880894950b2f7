import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take over a minute: they start first, so that none of them runs alone at the end. */
const LONG = [
  "e2e/service-aws",
  "e2e/service",
  "chaos/chaos",
  "engines/hostile-families",
  "e2e/hostile",
  "engines/contract/audio",
  "engines/contract/images",
  "engines/contract/video",
  "engines/contract/documents",
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
