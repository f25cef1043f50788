// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "scenarios/schema/config_text.h"
#include "scenarios/schema/load.h"
#include "tests/support/files.h"

namespace gicsim::schema {
namespace {

constexpr const char* parts =
    "parts: {host: xeon_6548yp, root: xeon_6548yp, gpu: h200_sxm, pcie: pcie5_x16, nic: connectx7, link: "
    "ndr400_cable, switch: quantum2}\n";

/// What is said of a system with this tree, one line an item.
std::string wrong(const std::string& items, const std::string& keys = "") {
  const Folder folder;
  const std::string file =
      folder.write("s.yaml", "about: a tree\nnodes: 2\nattach: tree\n" + keys + "tree:\n" + items + parts);
  return folder.relative(mistakes_of([&] { load_system(file, {}, source_root()); }));
}
Scenario load(const char* name, const std::vector<Override>& overrides = {}) {
  return load_scenario(name, overrides, source_root());
}

TEST_CASE("tree: every distance that nvidia-smi knows comes out of it") {
  const SystemSpec system = load_system("h200_distances", {}, source_root()).system;
  CHECK(system.gpus == 1);
  CHECK(system.nics == 5);
  const Distance all[] = {Distance::pix, Distance::pxb, Distance::phb, Distance::node, Distance::sys};
  for (std::size_t nic = 0; nic < 5; ++nic) CHECK(distance(system, 0, 0, nic) == all[nic]);
}

TEST_CASE("tree: the short forms are trees, too") {
  const auto of = [](const char* name) { return plugs(load_system(name, {}, source_root()).system, 1).size(); };
  CHECK(of("h200_cx7_ib") == 4 * 3);
  CHECK(plugs(load_system("h200_host", {}, source_root()).system, 0).size() == 1);
}

TEST_CASE("tree: what can't be plugged in is said where it is written") {
  CHECK(wrong("  gpu0: root0\n  nic0: gpu0\n") ==
        "s.yaml:6:3: tree: nic0: nothing plugs into 'gpu0'; write rootN (of socket N), bridgeN or switchN");
  CHECK(wrong("  disk0: root0\n") ==
        "s.yaml:5:3: tree: 'disk0' is nothing to plug in; write switchN, bridgeN, gpuN, nicN or dmaN");
  CHECK(wrong("  gpu0: switch0\n  nic0: root0\n") ==
        "s.yaml:5:3: tree: gpu0: plugged into switch0, which isn't in the tree");
  CHECK(wrong("  gpu0: root1\n  nic0: root0\n") ==
        "s.yaml:5:3: tree: gpu0: root1 is socket 1's, but a node has 1, counted from 0; write 'sockets: 2', or another "
        "root");
  CHECK(wrong("  gpu0: root0\n  nic1: root0\n") == "s.yaml:6:3: tree: nic1, but no nic0; count from 0 without gaps");
  CHECK(holds(wrong("  switch0: switch1\n  switch1: switch0\n  gpu0: switch0\n  nic0: root0\n"), "hangs in a loop"));
  CHECK(holds(wrong("  bridge0: switch0\n  switch0: root0\n"), "a host bridge is part of a root complex"));
  CHECK(holds(wrong("  gpu16: root0\n"), "at most 16 of a kind"));
  CHECK(holds(wrong("  gpu0: root0\n  nic0: root0\n", "pairs: 1\n"), "the tree says which GPUs and NICs there are"));
}

TEST_CASE("tree: it may be given in one line, where it is used") {
  const Scenario s = load("put_bw_shared_uplink");
  REQUIRE(s.system.tree.size() == 5);
  CHECK(s.system.nodes[1].switches.size() == 1);
  CHECK(holds(mistakes_of([&] { load("put_8B", {{"system.tree", "gpu0: root0"}}); }), "it takes 'attach: tree'"));
  CHECK(holds(mistakes_of([&] { load("put_bw_pix", {{"nic0.slot.socket", "1"}}); }),
              "the tree says which root complex it hangs off"));
}

TEST_CASE("tree: a resolved machine says the same again") {
  const Scenario first = load("put_bw_sys", {{"node1.nic4.slot.acs_request_redirect", "true"}});
  const Folder folder;
  const Scenario again = load_scenario(folder.write("config.yaml", config_text(first)), {}, folder.path());
  REQUIRE(again.system.tree.size() == first.system.tree.size());
  for (std::size_t i = 0; i < first.system.tree.size(); ++i) {
    CHECK(again.system.tree[i].stand == first.system.tree[i].stand);
    CHECK(again.system.tree[i].under_number == first.system.tree[i].under_number);
  }
  CHECK(again.routes[0].nic == 4);
  CHECK(again.system.nodes[1].pairs[4].nic_slot.acs_request_redirect);
  CHECK_FALSE(again.system.nodes[0].pairs[4].nic_slot.acs_request_redirect);
  CHECK(again.parameters.size() == first.parameters.size());
}

TEST_CASE("flows: GPUs and NICs that are there, in patterns that can be several") {
  const auto said = [](const char* name, const char* flows) {
    return mistakes_of([&] { load(name, {{"flows", flows}}); });
  };
  CHECK(said("put_bw_pix", "gpu0-nic5") ==
        "--set flows=gpu0-nic5: flows: 'gpu0-nic5': a node of h200_distances has nic0 to nic4");
  CHECK(said("put_bw_pix", "gpu1-nic0") ==
        "--set flows=gpu1-nic0: flows: 'gpu1-nic0': a node of h200_distances has gpu0");
  CHECK(holds(said("put_bw_pix", "nic0-gpu0"), "not a GPU and a NIC; write it like 'gpu0-nic0'"));
  CHECK(holds(said("put_bw_pix", "gpu0-nic0, gpu0-nic0"), "given twice"));
  CHECK(holds(said("put_bw_pix", ""), "flows: empty"));
  CHECK(holds(said("put_8B", "gpu0-nic0, gpu1-nic1"), "write 'pattern: put_bw', or one flow"));
  CHECK(load("put_8B", {{"flows", "gpu3-nic3"}}).routes[0].gpu == 3);
}

}  // namespace
}  // namespace gicsim::schema
