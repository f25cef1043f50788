-- SPDX-FileCopyrightText: 2026 The gicsim authors
-- SPDX-License-Identifier: Apache-2.0
-- Which links and cables are busy, and with what? Of the time between a link's first symbol and its last.
WITH span AS (SELECT link, max(end_ps) - min(begin_ps) AS ps FROM hops GROUP BY link)
SELECT h.link, h.type, count(*) AS n, sum(h.bytes) AS bytes, sum(h.lost) AS lost,
       round(100.0 * sum(h.end_ps - h.begin_ps) / max(s.ps, 1), 2) AS busy_percent
FROM hops h JOIN span s ON s.link = h.link
GROUP BY h.link, h.type
ORDER BY busy_percent DESC, h.link, h.type;
