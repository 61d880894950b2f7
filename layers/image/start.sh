#!/bin/sh
# Entry point of the container: runs the given command, or the converter of a lane on Lambda, or the complete service.
set -eu
cd "$(dirname "$0")/../.."
if [ "$#" -gt 0 ]; then
  exec "$@"
fi
if [ -n "${AWS_LAMBDA_RUNTIME_API:-}" ]; then
  exec node layers/image/lambda.ts
fi
# The key and the sample of the first session are in the container, where the user's shell does not see them.
ANYFORM_SHELL="docker exec $(hostname)"
export ANYFORM_SHELL
# Like `npm start`, but without npm, which would stay in memory.
# shellcheck disable=SC2046
exec $(node -p 'require("./package.json").scripts.start.replace("exec ", "")')
