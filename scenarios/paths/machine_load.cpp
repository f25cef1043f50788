// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#include "scenarios/paths/machine_load.h"

#include <algorithm>
#include <string>

#include "models/gpu/thread.h"
#include "models/host/core.h"
#include "scenarios/paths/places.h"

namespace gicsim::paths {
namespace {

using system::AddressMap;

/// Behind what paths use, in a GPU's window as in host memory; a buffer each way.
constexpr Address area(Address base, std::size_t pair, Direction direction) {
  return base + (Address{3} << 40) + (2 * pair + (direction == Direction::h2d)) * (Address{1} << 31);
}

}  // namespace

void MachineLoad::start() {
  for (std::size_t node = 0; node < std::min<std::size_t>(2, system_.nodes()); ++node) {
    const bool copies = scenario_.copy_load != CopyLoad::off;
    if (copies && scenario_.copy_load != CopyLoad::h2d) start_copies(node, 0, Direction::d2h);
    if (copies && scenario_.copy_load != CopyLoad::d2h) start_copies(node, 0, Direction::h2d);
    for (std::size_t device = 0; scenario_.storage != Storage::off && device < system_.node(node).dmas(); ++device)
      start_storage(node, device);
    for (std::size_t gpu = 0; scenario_.system.kernel_beside && scenario_.system.beside.blocks > 0 && gpu < system_.node(node).gpus(); ++gpu)
      system_.kernel().start(system_.node(node).multiprocessors(gpu).name() + ".beside", kernels(node, gpu),
                             Kernel::Kind::service);
  }
  if (scenario_.word_load == WordLoad::off) return;
  const std::size_t far = scenario_.lanes[0].to;
  system_.kernel().start("node" + std::to_string(far) + ".word_load",
                         scenario_.word_load == WordLoad::gpu ? add_by_gpu(far) : add_by_cpu(far), Kernel::Kind::service);
}

/// Of the first thread, or of all.
Task MachineLoad::add_by_gpu(std::size_t node) {
  gpu::Gpu& gpu = system_.node(node).gpu(scenario_.routes[0].gpu);
  gpu::Thread thread(system_.kernel(), gpu, std::string(gpu.name()) + ".word_load", AddressMap::dram, AddressMap::window);
  thread.tell(system_.node(node).atomics_done());
  const Address word = places::buffer(gpu.base(), 0, schema::longest(scenario_));
  while (goes_on()) {
    co_await thread.add_to(word, 1, Stage::compute);
    co_await system_.kernel().sleep(scenario_.word_load_gap);
  }
}

Task MachineLoad::add_by_cpu(std::size_t node) {
  host::Host& host = system_.node(node).host();
  host::Core core(host, std::string(host.name()) + ".word_load");
  core.tell(system_.node(node).atomics_done());
  const Address word = places::buffer(AddressMap::dram, 0, schema::longest(scenario_));
  while (goes_on()) {
    co_await core.work(host.params().atomic, 0, nullptr, Stage::compute);
    core.add_to(word, 1);
    co_await system_.kernel().sleep(scenario_.word_load_gap);
  }
}

void MachineLoad::start_copies(std::size_t node, std::size_t pair, Direction direction) {
  const Address gpu = area(AddressMap::gpu(pair), pair, direction), host = area(AddressMap::dram, pair, direction);
  gpu::CopyEngine& engine = system_.node(node).copy_engine(pair, direction);
  const bool down = direction == Direction::d2h;
  system_.kernel().start(engine.name() + ".load", copy(engine, down ? gpu : host, down ? host : gpu),
                         Kernel::Kind::service);
}

void MachineLoad::start_storage(std::size_t node, std::size_t device) {
  dma::Engine& engine = system_.node(node).dma(device);
  const Address base = scenario_.storage_memory == Memory::hbm ? AddressMap::gpu(0) : AddressMap::dram;
  for (Count i = 0; i < scenario_.storage_depth; ++i) {
    const Address at = area(base, 32 + device, Direction::d2h) + static_cast<Address>(scenario_.storage_bytes.count() * i);
    system_.kernel().start(std::string(engine.name()) + ".load" + std::to_string(i), access(engine, at),
                           Kernel::Kind::service);
  }
}

Task MachineLoad::copy(gpu::CopyEngine& engine, Address from, Address to) {
  while (goes_on()) co_await engine.copy(from, to, scenario_.copy_load_bytes, {}, nullptr);
}

/// Who reads from storage has it write to memory.
Task MachineLoad::access(dma::Engine& engine, Address at) {
  while (goes_on())
    if (scenario_.storage == Storage::read) co_await engine.write(at, scenario_.storage_bytes);
    else co_await engine.read(at, scenario_.storage_bytes);
}

/// Launches queue ahead of each other in one stream: the next one's first block follows the last one's end by what the
/// front end takes.
Task MachineLoad::kernels(std::size_t node, std::size_t gpu) {
  gpu::Multiprocessors& on = system_.node(node).multiprocessors(gpu);
  const gpu::BesideParams& kernel = scenario_.system.beside;
  const gpu::FrontEndParams& front_end = scenario_.system.nodes[node].pairs[gpu].front_end;
  while (goes_on()) {
    gpu::Multiprocessors::Launch launch = on.launch(gpu::grid(kernel), kernel.block_time);
    co_await launch;
    co_await system_.kernel().sleep(front_end.kernel_end + front_end.kernel_start);
  }
}

bool MachineLoad::goes_on() {
  const std::optional<std::uint64_t> ended = ended_();
  if (!ended) return false;
  const Picoseconds now = system_.kernel().now();
  if (std::exchange(ended_before_, *ended) != *ended) got_on_ = now;
  return now < got_on_ + patience;
}

}  // namespace gicsim::paths
