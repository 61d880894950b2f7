import { s3Client, s3Signer } from "../../functions/adapters/clients.ts";
import { s3Files } from "../../functions/adapters/s3/files.ts";
import { useEmulators } from "../support/emulators/emulator-suite.ts";
import { fileStoreContract } from "./contract/file-store.ts";

let passed = 0;
const clock = () => Date.now() + passed;
const emulators = useEmulators({ clock });

fileStoreContract("S3", async () => {
  passed = 0;
  const bucket = { client: s3Client(), signer: s3Signer(), name: await emulators().freshBucket(), clock };
  return {
    files: s3Files(bucket),
    now: clock,
    lapse: async (milliseconds) => {
      passed += milliseconds;
    },
    heeds: { deliveryHeaders: true, signatures: true },
    close: async () => {
      bucket.client.destroy();
      bucket.signer.destroy();
    },
  };
});
