-- SPDX-FileCopyrightText: 2026 The gicsim authors
-- SPDX-License-Identifier: Apache-2.0
-- Where does the time go? Mean of each stage until the poster knew, over all measured messages.
WITH n AS (SELECT count(*) AS messages FROM messages WHERE measured AND completion_ps IS NOT NULL)
SELECT s.layer, s.stage,
       sum(s.time_ps) / 1000.0 / n.messages AS mean_ns,
       sum(s.waiting_ps) / 1000.0 / n.messages AS waiting_ns,
       round(100.0 * sum(s.time_ps) / (SELECT sum(completion_ps) FROM messages WHERE measured), 2) AS percent
FROM n, stages s JOIN messages m ON m.id = s.message
WHERE m.measured AND s.branch = 'completion'
GROUP BY s.layer, s.stage
ORDER BY mean_ns DESC, s.stage;
