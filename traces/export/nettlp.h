// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "traces/export/ahead.h"
#include "traces/export/exporter.h"
#include "traces/tlp/header.h"

namespace gicsim::exports {

/// Every TLP as a NetTLP adapter sends it: a nanosecond pcap of UDP datagrams with real headers and zeros for payload.
/// Each link has a network of its own, its lower address at the end that sends up; a hosts file has their names.
class NetTlp final : public Exporter {
 public:
  explicit NetTlp(const Options& options) : limit_(options.limit) {}
  void listen(const Probes& probes) override;
  void finish(const Outcome&) override;
  Files files() override { return {{"nettlp.pcap", std::move(file_)}, {"nettlp.hosts", std::move(hosts_)}}; }
  std::vector<LeftOut> left_out() const override;

 private:
  struct Link {
    std::uint32_t network = 0;  ///< 10.x.y.0
    bool up = true;
    std::uint16_t sequence = 0;
  };
  struct Request {
    Address address = 0;
    Bytes length{};
  };
  void on_tlp(const TlpSent& sent);
  void write(const std::string& frame);
  Link& link_of(std::string_view sender);
  Bytes left_of(const TlpSent& sent);

  Bytes limit_;
  const Kernel* kernel_ = nullptr;
  std::map<std::string, Link, std::less<>> links_;             ///< by sender
  std::map<std::string, std::uint32_t, std::less<>> networks_;  ///< by link
  std::map<std::tuple<std::string, RequesterId, std::uint16_t>, Request> requests_;  ///< by node
  Ahead<std::string> ahead_;
  std::string file_, hosts_;
  Count written_ = 0, left_out_ = 0;
};

}  // namespace gicsim::exports
