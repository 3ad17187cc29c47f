-- Settings for Neovim 0.11 or later (docs/editors.md).

-- show runs a command of the server and opens a window with the text that it returns.
local function show(command, ctx)
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  local params = { command = command.command, arguments = command.arguments }
  client:request("workspace/executeCommand", params, function(err, shown)
    if err then
      return vim.notify(err.message, vim.log.levels.ERROR)
    end
    vim.cmd("vnew")
    vim.bo.buftype, vim.bo.bufhidden = "nofile", "wipe"
    vim.bo.filetype = command.command == "uvm2go.showGo" and "go" or "uvmir"
    vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(shown.text, "\n"))
  end, ctx.bufnr)
end

return {
  cmd = { "uvm2go", "lsp" },
  filetypes = { "mu", "ial", "tvm", "uvmir" },
  root_markers = { ".git" },
  init_options = { strict = false },
  commands = { ["uvm2go.showGo"] = show, ["uvm2go.showIR"] = show },
}
