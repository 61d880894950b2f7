#!/bin/sh
# What the container does: the command that it is given, else the conversions of a lane where Lambda has started it, else
# the whole service.
set -eu
cd "$(dirname "$0")/../.."
if [ "$#" -gt 0 ]; then
  exec "$@"
fi
if [ -n "${AWS_LAMBDA_RUNTIME_API:-}" ]; then
  exec node layers/image/lambda.ts
fi
# The key and the sample of the first session lie in here, where the user's own shell does not see them.
ANYFORM_SHELL="docker exec $(hostname)"
export ANYFORM_SHELL
# As `npm start` does, but without npm, which would stay in memory.
# shellcheck disable=SC2046
exec $(node -p 'require("./package.json").scripts.start.replace("exec ", "")')
