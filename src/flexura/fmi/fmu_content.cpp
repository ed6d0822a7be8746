#include "flexura/fmi/fmu_content.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "flexura/base/file.hpp"
#include "flexura/base/json.hpp"
#include "flexura/version.hpp"

namespace flexura {
namespace {

namespace fs = std::filesystem;

constexpr const char* causality_names[] = {"independent", "parameter", "input", "output"};

/// FNV-1a of 64 bits, from any basis.
std::uint64_t fnv(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

Json list_of(const FmuContent& content) {
  Json json{{"program", fmt::format("flexura {}", version)},
            {"name", content.name},
            {"title", content.title},
            {"begin", content.begin},
            {"end", content.end},
            {"step", content.step},
            {"variables", Json::array()},
            {"files", Json::array()}};
  for (const FmuVariable& v : content.variables)
    json["variables"].push_back({{"causality", causality_names[static_cast<int>(v.causality)]},
                                 {"name", v.name},
                                 {"unit", v.unit},
                                 {"doc", v.doc},
                                 {"source", v.source},
                                 {"component", v.component},
                                 {"start", v.start}});
  for (size_t k = 0; k < content.files.size(); ++k)
    json["files"].push_back({{"name", content.files[k].first}, {"file", fmt::format("files/{}", k + 1)}});
  return json;
}

std::string read(const std::string& path) {
  Outcome<std::string> text = read_file(path);
  if (!text) throw FileError(text.error());
  return *text;
}

}  // namespace

std::string token_of(const FmuContent& content) {
  std::uint64_t high = 0xcbf29ce484222325, low = 0x9ae16a3b2f90404f;
  const auto add = [&](const std::string& text) {
    const std::string size = std::to_string(text.size()) + ":";
    high = fnv(text, fnv(size, high));
    low = fnv(text, fnv(size, low));
  };
  add(json_text(list_of(content)));
  add(content.text);
  for (const auto& [name, text] : content.files) add(text);
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", high >> 32, high >> 16 & 0xffff, high & 0xffff,
                     low >> 48, low & 0xffffffffffff);
}

std::vector<std::pair<std::string, std::string>> resources_of(const FmuContent& content) {
  Json json = list_of(content);
  json["token"] = content.token;
  std::vector<std::pair<std::string, std::string>> resources{{fmu_list_file, json_text(json) + "\n"},
                                                             {fmu_scene_file, content.text}};
  for (size_t k = 0; k < content.files.size(); ++k)
    resources.emplace_back(fmt::format("files/{}", k + 1), content.files[k].second);
  return resources;
}

FmuContent read_resources(const std::string& folder) {
  const fs::path root(folder);
  const std::string path = (root / fmu_list_file).string();
  const Outcome<Json> parsed = parse_json(read(path), path);
  if (!parsed) throw FileError(parsed.error());
  FmuContent content;
  try {
    const Json& json = *parsed;
    content.name = json.at("name");
    content.title = json.at("title");
    content.token = json.at("token");
    content.begin = json.at("begin");
    content.end = json.at("end");
    content.step = json.at("step");
    for (const Json& v : json.at("variables")) {
      FmuVariable& variable = content.variables.emplace_back();
      for (int k = 0; k < 4; ++k)
        if (v.at("causality") == causality_names[k]) variable.causality = static_cast<FmuVariable::Causality>(k);
      variable.name = v.at("name");
      variable.source = v.at("source");
      variable.component = v.at("component");
      variable.start = v.at("start");
    }
    content.text = read((root / fmu_scene_file).string());
    for (const Json& file : json.at("files"))
      content.files.emplace_back(file.at("name"), read((root / file.at("file").get<std::string>()).string()));
  } catch (const Json::exception& error) {
    throw FileError(fmt::format("'{}' is not as the export writes it: {}", path, error.what()));
  }
  return content;
}

}  // namespace flexura
