// SPDX-FileCopyrightText: 2026 The gicsim authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>

namespace gicsim {

/// What a suspended program waits for. An awaitable that may wait for ever derives from it;
/// it is asked only when a run is stuck.
class Obstacle {
 public:
  virtual std::string waits_for() const = 0;

 protected:
  ~Obstacle() = default;
};

/// A started program, as the kernel keeps it.
struct Program {
  std::string who;                    ///< "node0.gpu0.thread3"
  bool service = false;               ///< waits for work that may never come
  const Obstacle* obstacle = nullptr; ///< set by an awaitable when it suspends
};

/// The program of a GPU or CPU thread: a coroutine that starts when it is awaited or handed to
/// Kernel::start. Single operations are awaitable structs, not Tasks: a nested Task costs a
/// call and a pooled allocation. An exception travels to whoever awaits, in the end to
/// Kernel::run, and keeps its type.
class [[nodiscard]] Task {
 public:
  struct promise_type {
    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Final {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
          promise_type& promise = self.promise();
          if (promise.continuation) return promise.continuation;
          if (promise.on_done) promise.on_done(promise.owner, self);
          return std::noop_coroutine();
        }
        void await_resume() noexcept {}
      };
      return Final{};
    }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }

    static void* operator new(std::size_t size);                 ///< from a pool
    static void operator delete(void* p, std::size_t size) noexcept;

    std::coroutine_handle<> continuation;
    std::exception_ptr failure;
    Program* program = nullptr;  ///< inherited from the awaiting Task
    void* owner = nullptr;
    void (*on_done)(void* owner, std::coroutine_handle<promise_type>) = nullptr;
  };
  using Handle = std::coroutine_handle<promise_type>;

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      if (handle_) handle_.destroy();
      handle_ = std::exchange(other.handle_, {});
    }
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(Handle caller) noexcept {
    handle_.promise().continuation = caller;
    handle_.promise().program = caller.promise().program;
    return handle_;
  }
  void await_resume() {
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
  }

  /// Gives the coroutine away: the kernel destroys it.
  Handle release() { return std::exchange(handle_, {}); }

 private:
  explicit Task(Handle handle) : handle_(handle) {}
  Handle handle_;
};

}  // namespace gicsim
