import "./run.ts";
