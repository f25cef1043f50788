-- SPDX-FileCopyrightText: 2026 The gicsim authors
-- SPDX-License-Identifier: Apache-2.0
-- Which messages took longest, and what were they doing? The ten slowest, each with its longest stage.
SELECT m.id, m.poster, m.peer, m.verb, m.bytes, m.begun_ps / 1000.0 AS begun_ns, m.completion_ps / 1000.0 AS completion_ns,
       s.stage AS longest_stage, s.at, max(s.time_ps) / 1000.0 AS stage_ns
FROM messages m JOIN stages s ON s.message = m.id AND s.branch = 'completion'
WHERE m.measured
GROUP BY m.id
ORDER BY m.completion_ps DESC, m.id
LIMIT 10;
