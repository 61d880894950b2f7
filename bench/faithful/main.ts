import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureShare, shareReport } from "./corpus/share.ts";
import { ROOT, startService } from "./service.ts";
import { removeProfiles } from "./tools.ts";

const options = {
  corpus: { type: "string", default: process.env.ANYFORM_CORPUS ?? join(ROOT, "../shared/corpus") },
  "corpus-share": { type: "boolean", default: false },
  only: { type: "string", default: "" },
  out: { type: "string" },
  concurrency: { type: "string", default: "2" },
} as const;

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options });
  const scratch = await mkdtemp(join(tmpdir(), "anyform-faithful-"));
  const concurrency = Number(values.concurrency);
  const service = await startService(join(scratch, "service"), concurrency);
  try {
    if (values["corpus-share"]) {
      const rows = await measureShare(service, { corpus: values.corpus, scratch, concurrency, only: values.only });
      console.log(shareReport(rows));
      if (values.out !== undefined) {
        await writeFile(values.out, JSON.stringify(rows, undefined, 1));
      }
    }
  } finally {
    await service.stop();
    await removeProfiles();
    await rm(scratch, { recursive: true, force: true });
  }
};

await main();
