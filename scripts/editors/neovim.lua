-- The session that scripts/editors/neovim runs. It exits with an error where something is not as expected.
vim.opt.runtimepath:append(vim.env.NVIM_DAP)
local dap = require('dap')

local function say(text) io.stdout:write(text .. '\n') end
local function fail(text)
  io.stdout:write('FAILED: ' .. text .. '\n')
  vim.cmd('cquit 1')
end
local function expect(found, wanted, of)
  if found ~= wanted then fail(of .. ': expected ' .. vim.inspect(wanted) .. ', found ' .. vim.inspect(found)) end
end

-- the settings of docs/editors.md
dap.adapters.asldb = { type = 'executable', command = vim.env.ASLDB, args = { 'dap' } }
dap.configurations.json = {
  {
    type = 'asldb',
    request = 'launch',
    name = 'State machine',
    program = '${file}',
    fixtures = function()
      local name = vim.fn.expand('%:p'):gsub('%.asl%.json$', ''):gsub('%.asl%.ya?ml$', '') .. '.fixtures.yaml'
      return vim.fn.filereadable(name) == 1 and name or nil
    end,
  },
}

-- each stop goes on with the session
local session
local stops, closed = 0, false
dap.listeners.after.event_stopped['session'] = function(_, body)
  stops = stops + 1
  say('stopped: ' .. body.reason .. (body.description and (': ' .. body.description:gsub('\n.*', '')) or ''))
end
dap.listeners.after.event_terminated['session'] = function() closed = true end
dap.listeners.after.event_output['session'] = function(_, body)
  say('output (' .. (body.category or '') .. '): ' .. body.output:gsub('\n$', ''))
end

-- wait waits until check returns a value.
local function wait(of, check)
  local value
  if not vim.wait(10000, function() value = check() return value end, 5) then fail('no ' .. of .. ' within ten seconds') end
  return value
end
-- request sends a request and returns its body.
local function request(command, arguments)
  local answer
  session:request(command, arguments, function(err, body) answer = { err = err, body = body } end)
  wait('response to ' .. command, function() return answer end)
  if answer.err then fail(command .. ': ' .. vim.inspect(answer.err)) end
  return answer.body
end
-- move runs a command of nvim-dap and waits for the stop after it.
local function move(name, run)
  local before = stops
  run()
  wait('stop after ' .. name, function() return stops > before and session.current_frame and session.stopped_thread_id end)
  vim.wait(50, function() return false end)
  say(name .. ' -> ' .. session.current_frame.name .. ', line ' .. session.current_frame.line)
  return session.current_frame
end

-- break at the field ResultSelector of ChargeCard
local field = vim.fn.search('"ResultSelector"', 'nw')
vim.api.nvim_win_set_cursor(0, { field, 0 })
dap.toggle_breakpoint()
dap.continue()
wait('session', function() session = dap.session() return session and session.initialized and stops > 0 and session.current_frame end)
expect(session.current_frame.name, 'ChargeCard › ResultSelector', 'frame')
expect(session.current_frame.line, field, 'line')

-- look
local frame = session.current_frame
local names = {}
for _, scope in ipairs(request('scopes', { frameId = frame.id }).scopes) do table.insert(names, scope.name) end
say('scopes: ' .. table.concat(names, ', '))
local value = request('evaluate', { expression = '$.status', frameId = frame.id, context = 'hover' })
expect(value.result, '"captured"', 'the value of $.status')
local stack = request('stackTrace', { threadId = session.stopped_thread_id })
for _, f in ipairs(stack.stackFrames) do say('frame: ' .. f.name .. ' ' .. f.line) end

-- step, and step back
local after = move('step_into', function() dap.step_into() end)
if after.name == frame.name then fail('step_into stays at ' .. after.name) end
local back = move('step_back', function() dap.step_back() end)
expect(back.name, frame.name, 'frame after step_back')

-- edit the data that the next stage reads, and find it in the data after that
local scope = request('scopes', { frameId = back.id }).scopes[1]
local function members(reference)
  local found = {}
  for _, v in ipairs(request('variables', { variablesReference = reference }).variables) do found[v.name] = v end
  return found
end
expect(members(scope.variablesReference).status.value, '"captured"', 'status in the scope ' .. scope.name)
if not session.capabilities.supportsSetVariable then fail('the adapter sets no variables') end
request('setVariable', { variablesReference = scope.variablesReference, name = 'status', value = '"edited"' })
after = move('step_into', function() dap.step_into() end)
value = request('evaluate', { expression = '$.payment.status', frameId = after.id, context = 'hover' })
expect(value.result, '"edited"', '$.payment.status after the edit')

-- continue to the end, and end
move('continue', function() dap.continue() end)
dap.continue()
wait('end', function() return closed end)

-- the language server: a misspelt field is a problem as it is typed
local id = vim.lsp.start_client({ name = 'asldb', cmd = { vim.env.ASLDB, 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
vim.api.nvim_buf_set_lines(0, field - 1, field, false, { (vim.fn.getline(field):gsub('ResultSelector', 'ResultSelectr')) })
local problem = wait('problem', function()
  for _, d in ipairs(vim.diagnostic.get(0)) do if d.lnum == field - 1 then return d end end
end)
say('problem: ' .. problem.message:gsub('\n.*', ''))
say('PASSED')
vim.cmd('qall!')
