-- SPDX-FileCopyrightText: 2026 The gicsim authors
-- SPDX-License-Identifier: Apache-2.0
-- What happened to one message? The measured one in the middle, by its time: its stages and what it sent, in order of time.
-- Stages until completion and delivery part are of both.
WITH ranked AS (
  SELECT id, begun_ps, row_number() OVER (ORDER BY completion_ps, id) AS place, count(*) OVER () AS n
  FROM messages WHERE measured AND completion_ps IS NOT NULL),
one AS (SELECT id, begun_ps FROM ranked WHERE place = (n + 1) / 2)
SELECT (s.begin_ps - one.begun_ps) / 1000.0 AS from_ns, s.time_ps / 1000.0 AS lasts_ns,
       CASE count(*) WHEN 2 THEN 'both' ELSE min(s.branch) END AS what, s.stage AS name, s.at AS place
FROM one JOIN stages s ON s.message = one.id
GROUP BY s.begin_ps, s.time_ps, s.stage, s.at
UNION ALL
SELECT (h.begin_ps - one.begun_ps) / 1000.0, (h.end_ps - h.begin_ps) / 1000.0, h.kind, h.type || ' ' || h.bytes || ' B', h.link
FROM one JOIN hops h ON h.message = one.id
ORDER BY 1, 3, 5;
