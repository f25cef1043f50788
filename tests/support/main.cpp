// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

// libsystemc brings a main of its own, which asks for this symbol even though ours is the one that
// runs.
int sc_main(int, char**) { return 0; }
