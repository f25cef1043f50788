-- SPDX-FileCopyrightText: 2026 The gicsim authors
-- SPDX-License-Identifier: Apache-2.0
-- What do messages wait for? Time in queues and for credits, by stage and by who had it end.
SELECT s.at, s.stage, count(*) AS times, sum(s.waiting_ps) / 1000.0 AS waiting_ns, max(s.waiting_ps) / 1000.0 AS longest_ns
FROM stages s JOIN messages m ON m.id = s.message
WHERE m.measured AND s.waiting_ps > 0
  AND (s.branch = 'completion' OR m.completion_ps IS NULL)
GROUP BY s.at, s.stage
ORDER BY waiting_ns DESC, s.at, s.stage;
