import "./command.ts";
