package redis

import "github.com/redis/rueidis"

// giveBack takes ARGV[1] from a counter that is there, down to zero. It keeps
// the expiry, and a value that is not a number gives redis's own error. It is
// always sent as text: falling back from a hash would change the order of a
// call's commands.
const giveBack = `local n = redis.call('GET', KEYS[1])
if not n then return 0 end
return redis.call('DECRBY', KEYS[1], math.max(0, math.min(tonumber(n) or 0, tonumber(ARGV[1]))))`

// addUnlessOver is ratelimit.StopCounter's AddUnlessOver. ARGV has three
// numbers for each key: hits (negative to give back), limit and expiry in
// seconds. It returns the counts it found, then those it left.
var addUnlessOver = rueidis.NewLuaScript(`local found, left, spare = {}, {}, false
for i, key in ipairs(KEYS) do
  local n = redis.call('GET', key)
  if n and not tonumber(n) then return redis.call('INCRBY', key, 0) end
  found[i] = tonumber(n or 0)
  local add = tonumber(ARGV[3*i-2])
  if add >= 0 and found[i] + add > tonumber(ARGV[3*i-1]) then spare = true end
end
for i, key in ipairs(KEYS) do
  local add = tonumber(ARGV[3*i-2])
  if add < 0 then
    local n = redis.call('GET', key)
    left[i] = n and redis.call('DECRBY', key, math.max(0, math.min(tonumber(n), -add))) or 0
  elseif add == 0 or spare and found[i] + add <= tonumber(ARGV[3*i-1]) then
    left[i] = tonumber(redis.call('GET', key) or 0)
  else
    left[i] = redis.call('INCRBY', key, ARGV[3*i-2])
    if redis.call('TTL', key) < 0 then redis.call('EXPIRE', key, ARGV[3*i]) end
  end
end
for i, n in ipairs(left) do found[#KEYS + i] = n end
return found`)
