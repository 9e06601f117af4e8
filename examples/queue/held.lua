-- Does one thing to a job if the worker still holds it, renews its lease, and says whether it does.
-- A worker that was frozen, and lost the job to another one meanwhile, writes nothing any more.
local jobs, state, ended = KEYS[1], KEYS[2], KEYS[3]
local group, worker, job, act = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if #redis.call('XPENDING', jobs, group, job, job, 1, worker) == 0 then
  return 0
end
redis.call('XCLAIM', jobs, group, worker, 0, job, 'JUSTID')

if act == 'store' then
  redis.call('HSET', state, unpack(ARGV, 5))
elseif act == 'end' then
  -- The scope of the last attempt, or of the job if there was none.
  local scope = redis.call('HGET', state, 'scope') or ARGV[5]
  redis.call('XADD', ended, '*', 'job', job, 'scope', scope, unpack(ARGV, 6))
  redis.call('XACK', jobs, group, job)
  redis.call('XDEL', jobs, job)
  redis.call('DEL', state)
end
return 1
