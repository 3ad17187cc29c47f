// Starts uvm2go lsp, and shows the Go or the IR of functions in documents of their own.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const languages = ["mu", "uvm2014", "ial", "tvm", "ir"];
const scheme = "uvm2go";

let client;

exports.activate = async function (context) {
  const config = vscode.workspace.getConfiguration("uvm2go");
  const texts = new Map(); // by URI
  const changed = new vscode.EventEmitter();
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => texts.get(uri.toString()),
    }),
  );
  // The client makes the commands of the server commands of the editor. Their results come here.
  const middleware = {
    executeCommand: async (command, args, next) => {
      const shown = await next(command, args);
      if (!shown) {
        return;
      }
      const ending = command === "uvm2go.showGo" ? ".go" : ".ir";
      const uri = vscode.Uri.from({ scheme, path: "/" + shown.title + ending, query: args[0] });
      texts.set(uri.toString(), shown.text);
      changed.fire(uri);
      await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preview: true });
    },
  };
  client = new LanguageClient(
    "uvm2go",
    "uvm2go",
    { command: config.get("path"), args: ["lsp"] },
    {
      documentSelector: languages.flatMap((language) => [{ scheme: "file", language }, { scheme: "untitled", language }]),
      initializationOptions: { programs: config.get("programs"), strict: config.get("strict") },
      middleware,
    },
  );
  await client.start();
};

exports.deactivate = () => client && client.stop();
