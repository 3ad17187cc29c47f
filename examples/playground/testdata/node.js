// Starts the playground's executable as the page's worker does, under Node.js: with two arguments it asks
// a question and prints the answer, with one it runs the program. The request is standard input.
"use strict";
const fs = require("fs");
globalThis.fs = fs;
globalThis.path = require("path");
const [exec, wasm, question] = process.argv.slice(2);
require(exec);
const text = fs.readFileSync(0, "utf8");
const go = new Go();
go.exit = (status) => process.exit(status);
go.argv = question ? ["playground"] : ["playground", "run"];
globalThis.request = text;
globalThis.ready = () => {
	process.stdout.write(respond(question, text));
	process.exit(0);
};
WebAssembly.instantiate(fs.readFileSync(wasm), go.importObject).then(({ instance }) => go.run(instance));
