-- Posts small commands, and counts what comes back: wrk -s deposit.lua URL. Lua is that of wrk, with one thread.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
request = function()
  return wrk.format(nil, nil, nil, '{"account":' .. math.random(1000) .. ',"amount":1}')
end
local thread
setup = function(it)
  thread = it
  it:set("ok", 0)
  it:set("busy", 0)
  it:set("other", 0)
end
response = function(status, headers)
  if status == 200 then
    ok = ok + 1
  elseif status == 503 and headers["Retry-After"] then
    busy = busy + 1
  else
    other = other + 1
  end
end
done = function(summary)
  io.write(string.format("counted %d %d %d %d\n", thread:get("ok"), thread:get("busy"),
    thread:get("other") + summary.errors.timeout, summary.duration))
end
