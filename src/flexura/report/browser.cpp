#include "flexura/report/browser.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "flexura/base/file.hpp"
#include "flexura/base/quote.hpp"

namespace flexura {
namespace {

constexpr double patience = 120;            // s without any answer; a slow machine draws a large report in a few
constexpr int read_end = 3, write_end = 4;  // of --remote-debugging-pipe, seen from the browser

constexpr std::array browser_names{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"};

std::string text_of(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Text of Runtime.ExceptionDetails.
std::string exception_text(const Json& details) {
  if (const auto exception = details.find("exception"); exception != details.end()) {
    if (const std::string text = text_of(*exception, "description"); !text.empty()) return first_line(text);
    if (const auto value = exception->find("value"); value != exception->end()) return first_line(value->dump());
  }
  return text_of(details, "text");
}

std::vector<std::string> browser_command(const std::string& program, const std::string& folder, bool sandbox) {
  std::vector<std::string> command{
      program, "--headless", "--remote-debugging-pipe", "--user-data-dir=" + folder + "/profile", "--no-first-run",
      "--no-default-browser-check", "--disable-extensions", "--disable-dev-shm-usage", "--hide-scrollbars",
      "--mute-audio", "--force-color-profile=srgb",
      // Drawn by the processor, the same pixels everywhere.
      "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      // Nothing goes out.
      "--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "--disable-component-update",
      "--disable-sync", "--disable-quic", "--disable-default-apps", "--disable-breakpad", "--metrics-recording-only",
      // A page that nobody sees is drawn without a pause.
      "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
      "--disable-backgrounding-occluded-windows"};
  if (!sandbox) command.emplace_back("--no-sandbox");
  command.emplace_back("about:blank");
  return command;
}

}  // namespace

std::string find_browser(const std::string& program) {
  std::string wish = program, source = "--browser";
  if (const char* variable = std::getenv("FLEXURA_BROWSER"); wish.empty() && variable != nullptr) {
    wish = variable;
    source = "FLEXURA_BROWSER";
  }
  if (!wish.empty()) {
    const std::string found = find_program(wish);
    if (found.empty()) throw DrawingError(fmt::format("{}: there is no program {} to execute", source, wish));
    return found;
  }
  for (const char* name : browser_names)
    if (const std::string found = find_program(name); !found.empty()) return found;
  throw DrawingError(
      "frames are drawn by Chromium, and there is none\ntry: apt install chromium, or name a browser with --browser "
      "FILE or "
      "in FLEXURA_BROWSER");
}

Browser::Browser(const std::string& program, const std::atomic<bool>* stop) : stop_(stop) {
  // The administrator cannot have Chromium's sandbox; neither can others in many containers.
  const bool root = geteuid() == 0;
  try {
    start(program, !root);
  } catch (const DrawingError&) {
    if (root || log_text().find("sandbox") == std::string::npos) throw;
    start(program, false);
  }
}

Browser::~Browser() {
  // A browser that ends by itself leaves nothing in the system's folders.
  try {
    if (stop_ == nullptr || !stop_->load()) {
      send(fmt::format(R"({{"id":{},"method":"Browser.close"}})", ++last_id_));
      process_.wait(2);
    }
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): it is killed below
  }
  process_.kill();
}

void Browser::start(const std::string& program, bool sandbox) {
  process_.kill();
  received_.clear();
  searched_ = 0;
  DuplexChannel channel = make_channel();
  channel_ = std::move(channel.ours);
  process_.start(browser_command(program, folder_.path(), sandbox),
                 {{channel.theirs.number(), read_end}, {channel.theirs.number(), write_end}}, folder_.path() + "/log",
                 {"XDG_CONFIG_HOME=" + folder_.path(), "XDG_CACHE_HOME=" + folder_.path(), "TMPDIR=" + folder_.path()});
  channel.theirs.close();
  const Json target = call("Target.createTarget", {{"url", "about:blank"}}, false);
  const Json attached = call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}}, false);
  session_ = attached.at("sessionId");
  for (const char* domain : {"Page.enable", "Runtime.enable", "Log.enable", "Inspector.enable"})
    call(domain, Json::object());
}

void Browser::open(const std::string& file, int width, int height, bool dark) {
  call("Emulation.setDeviceMetricsOverride",
       {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  call("Emulation.setEmulatedMedia",
       {{"features", Json::array({{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}}})}});
  loaded_ = false;
  const Json answer = call("Page.navigate", {{"url", file_url(file)}});
  if (const std::string error = text_of(answer, "errorText"); !error.empty())
    throw DrawingError(fmt::format("the browser cannot open {}: {}", file, error));
  while (!loaded_) take_event(receive());
}

Json Browser::evaluate(const std::string& expression) {
  const Json answer =
      call("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (const auto details = answer.find("exceptionDetails"); details != answer.end())
    throw DrawingError(exception_text(*details));
  const Json& result = answer.at("result");
  const auto value = result.find("value");
  return value == result.end() ? Json() : *value;
}

Json Browser::call(const std::string& method, Json parameters, bool of_page) {
  const int id = ++last_id_;
  Json message{{"id", id}, {"method", method}, {"params", std::move(parameters)}};
  if (of_page) message["sessionId"] = session_;
  send(message.dump());
  for (;;) {
    Json answer = receive();
    const auto found = answer.find("id");
    if (found == answer.end() || *found != id) {
      take_event(answer);
      continue;
    }
    if (const auto error = answer.find("error"); error != answer.end())
      throw DrawingError(fmt::format("the browser answered {}: {}", method, text_of(*error, "message")));
    return std::move(answer["result"]);
  }
}

void Browser::take_event(const Json& event) {
  const std::string method = text_of(event, "method");
  if (method == "Page.loadEventFired") {
    loaded_ = true;
  } else if (method == "Runtime.exceptionThrown") {
    page_errors_.push_back(exception_text(event.at("params").at("exceptionDetails")));
  } else if (method == "Log.entryAdded") {
    const Json& entry = event.at("params").at("entry");
    if (text_of(entry, "level") == "error") page_errors_.push_back(first_line(text_of(entry, "text")));
  } else if (method == "Inspector.targetCrashed" || method == "Target.targetCrashed") {
    throw DrawingError("the page crashed in the browser; it may have run out of memory");
  }
}

void Browser::send(const std::string& message) {
  std::string_view rest(message.c_str(), message.size() + 1);  // with the zero that ends it
  while (!rest.empty()) {
    const ssize_t written = ::send(channel_.number(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (written < 0 && errno != EINTR) fail("the browser ended");
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

Json Browser::receive() {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    if (const std::size_t end = received_.find('\0', searched_); end != std::string::npos) {
      auto message = parse_json(std::string_view(received_).substr(0, end), "message of the browser");
      received_.erase(0, end + 1);
      searched_ = 0;
      if (!message) throw DrawingError(message.error());
      return std::move(*message);
    }
    searched_ = received_.size();
    if (stop_ != nullptr && stop_->load()) throw DrawingStopped();
    pollfd wanted{channel_.number(), POLLIN, 0};
    if (poll(&wanted, 1, look_at_stop_every) <= 0) {
      if (std::chrono::steady_clock::now() - begin > std::chrono::duration<double>(patience))
        fail(fmt::format("the browser has not answered for {} s", patience));
      continue;
    }
    const std::size_t had = received_.size();
    constexpr std::size_t chunk = 1 << 18;
    received_.resize(had + chunk);
    const ssize_t count = recv(channel_.number(), received_.data() + had, chunk, 0);
    received_.resize(had + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count == 0 || (count < 0 && errno != EINTR)) fail("the browser ended");
  }
}

void Browser::fail(const std::string& what) {
  process_.kill();
  const std::string log = log_text();
  throw DrawingError(log.empty() ? what : fmt::format("{}; it said:\n{}", what, log));
}

std::string Browser::log_text() const {
  constexpr std::size_t longest = 2000;
  const auto text = read_file(folder_.path() + "/log");
  if (!text) return {};
  std::string end = text->size() > longest ? text->substr(text->size() - longest) : *text;
  while (!end.empty() && std::isspace(static_cast<unsigned char>(end.back())) != 0) end.pop_back();
  return end;
}

}  // namespace flexura
