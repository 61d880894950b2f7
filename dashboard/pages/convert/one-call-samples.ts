/** A program that converts a file with one request. */
interface Sample {
  readonly id: string;
  readonly label: string;
  readonly code: string;
}

/** What the programs convert. */
interface SampleFiles {
  /** The URL of the service, without a trailing slash. */
  readonly address: string;
  readonly file: string;
  /** The ID of the target format. */
  readonly target: string;
  readonly result: string;
}

export const oneCallSamples = ({ address, file, target, result }: SampleFiles): readonly Sample[] => [
  {
    id: "curl",
    label: "curl",
    code: `curl -sSfL ${address}/api/v1/convert -H "Authorization: Bearer $KEY" \\
  -F file=@${file} -F target_format=${target} -o ${result}`,
  },
  {
    id: "typescript",
    label: "TypeScript",
    code: `import { createClient } from "@anyform/client";

const anyform = createClient({ apiKey: process.env.KEY, baseUrl: "${address}" });
const file = await anyform.convert("${file}", "${target}");
await file.save("${result}");`,
  },
  {
    id: "python",
    label: "Python",
    code: `import os
from anyform import Anyform

client = Anyform(api_key=os.environ["KEY"], base_url="${address}")
client.convert("${file}", "${target}").save("${result}")`,
  },
];
