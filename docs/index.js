import "./generate.ts";
