// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "traces/schedule/make.h"

#include <fmt/format.h>

#include <numeric>

#include "traces/schedule/detail/program.h"

namespace gicsim::schedule {
namespace {

class Made final : public Source {
 public:
  explicit Made(const Making& making) : making_(making), programs_(making.ranks), done_(making.ranks) {
    Communicator all{0, std::vector<std::uint32_t>(making.ranks)};
    std::iota(all.ranks.begin(), all.ranks.end(), 0u);
    all_ = std::make_shared<Communicator>(std::move(all));
  }

  std::string format() const override { return "made"; }
  std::size_t ranks() const override { return making_.ranks; }
  bool next(std::size_t rank, Step& step) override {
    if (done_[rank]) return false;
    if (!programs_[rank]) programs_[rank] = program(rank);
    if (programs_[rank]->next(step)) return true;
    done_[rank] = true;
    ++finished_;
    programs_[rank].reset();
    return false;
  }
  void rewind() override {
    for (auto& program : programs_) program.reset();
    done_.assign(done_.size(), false);
    finished_ = 0;
  }
  std::vector<std::string> notes() const override {
    return {fmt::format("made: {}, {} ranks, {} B", name_of(making_.what), making_.ranks, making_.bytes.count())};
  }
  double progress() const override { return static_cast<double>(finished_) / static_cast<double>(making_.ranks); }
  Location location(std::size_t, const Step&) const override { return {"gicsim"}; }

 private:
  std::unique_ptr<Program> program(std::size_t rank) const {
    switch (making_.what) {
      case Workload::pipeline:
        return pipeline_program(making_, rank);
      case Workload::moe:
        return moe_program(making_, all_, rank);
      default:
        return collectives_program(making_, all_, rank);
    }
  }

  Making making_;
  std::shared_ptr<const Communicator> all_;
  std::vector<std::unique_ptr<Program>> programs_;
  std::vector<bool> done_;
  std::size_t finished_ = 0;
};

class Collectives final : public Phases {
 public:
  Collectives(const Making& making, std::shared_ptr<const Communicator> all, std::size_t rank)
      : Phases(std::move(all), rank), making_(making) {}

 private:
  std::optional<Phase> phase(std::uint64_t index) override {
    const std::uint64_t each = making_.compute > Picoseconds{0} ? 2 : 1;
    if (index >= each * making_.iterations) return std::nullopt;
    if (each == 2 && index % 2 == 0) return Compute{making_.compute, "compute"};
    Collective collective;
    collective.what = making_.what == Workload::all_to_all ? Operation::all_to_all : Operation::all_reduce;
    collective.how = making_.what == Workload::tree_all_reduce ? Algorithm::tree : Algorithm::ring;
    collective.bytes = making_.bytes;
    collective.sequence = index / each;
    return collective;
  }

  Making making_;
};

ConfigError wrong(const std::string& what) { return {Location{"gicsim"}, what}; }

}  // namespace

bool Phases::next(Step& step) {
  while (!expansion_) {
    std::optional<Phase> now = phase(index_);
    if (!now) return false;
    ++index_;
    if (auto* collective = std::get_if<Collective>(&*now)) {
      expansion_.emplace(std::move(*collective), all_, rank_, number_);
      begins_ = true;
      break;
    }
    const Compute& compute = std::get<Compute>(*now);
    step = {};
    step.number = number_;
    step.time = compute.time;
    step.name = compute.name;
    if (number_ > 0) step.needs.push_back({number_ - 1, Need::Until::ended});
    ++number_;
    return true;
  }
  if (!expansion_->next(step)) {
    expansion_.reset();
    return next(step);
  }
  if (begins_ && number_ > 0) step.needs.push_back({number_ - 1, Need::Until::ended});
  begins_ = false;
  ++number_;
  return true;
}

std::unique_ptr<Program> collectives_program(const Making& making, std::shared_ptr<const Communicator> all,
                                             std::size_t rank) {
  return std::make_unique<Collectives>(making, std::move(all), rank);
}

std::unique_ptr<Source> make(const Making& making) {
  Making filled = making;
  if (filled.experts == 0) filled.experts = filled.ranks;
  if (filled.micro_batches == 0) filled.micro_batches = filled.ranks;
  if (filled.layers == 0) filled.layers = filled.what == Workload::pipeline ? filled.ranks : 1;
  if (filled.ranks == 0) throw wrong("a schedule of no ranks; write 1 or more");
  if (filled.what == Workload::moe && (filled.top_k == 0 || filled.top_k > filled.experts))
    throw wrong(
        fmt::format("{} of {} experts for each token; write 1 .. {}", filled.top_k, filled.experts, filled.experts));
  if (filled.what == Workload::moe && filled.tokens == 0) throw wrong("a rank of no tokens; write 1 or more");
  if (filled.what == Workload::pipeline && filled.layers < filled.ranks)
    throw wrong(fmt::format("{} layers don't reach {} ranks; write as many or more", filled.layers, filled.ranks));
  return std::make_unique<Made>(filled);
}

}  // namespace gicsim::schedule
