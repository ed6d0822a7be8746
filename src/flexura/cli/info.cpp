// What a results file, a journal or this build holds.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "flexura/base/json.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/cli/console.hpp"
#include "flexura/cli/stored_results.hpp"
#include "flexura/math/pack.hpp"
#include "flexura/output/hdf5_reader.hpp"
#include "flexura/output/hdf5_results.hpp"
#include "flexura/output/journal_reader.hpp"
#include "flexura/run/model_summary.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/version.hpp"

namespace flexura::cli {
namespace {

struct Content {
  std::string file, status;
  std::string model;  ///< /model/summary
  std::vector<Attribute> attributes;
  struct Entry {
    std::string path, unit, doc;
    std::vector<std::uint64_t> shape;
  };
  std::vector<Entry> datasets;
  std::optional<Checkpoint> checkpoint;

  std::string attribute(std::string_view path, std::string_view name) const {
    for (const Attribute& a : attributes)
      if (a.path == path && a.name == name) {
        if (a.kind == Attribute::Kind::text) return a.text;
        return a.kind == Attribute::Kind::real ? fmt::format("{:.4g}", a.real) : fmt::format("{}", a.integer);
      }
    return {};
  }
};

Content read_journal(const std::string& file) {
  auto journal = JournalReader::open(file);
  if (!journal) throw IoError(journal.error());
  Content content{file, journal->status().empty() ? "unfinished" : journal->status(),
                  {},   journal->attributes(),
                  {},   journal->checkpoint()};
  for (const Blob& blob : journal->blobs())
    if (blob.path == "/model/summary") content.model = blob.content;
  for (ChannelId id = 0; id < journal->channels().size(); ++id) {
    const Channel& channel = journal->channels()[id];
    for (const ChannelColumn& column : channel.columns) {
      std::vector<std::uint64_t> shape{journal->rows()[id]};
      shape.insert(shape.end(), column.shape.begin(), column.shape.end());
      content.datasets.push_back({channel.path + "/" + column.name, column.unit, column.doc, shape});
    }
  }
  std::sort(content.datasets.begin(), content.datasets.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  return content;
}

Content read_results(const std::string& file) {
  auto attributes = list_attributes(file);
  if (!attributes) throw IoError(attributes.error());
  auto datasets = list_datasets(file);
  if (!datasets) throw IoError(datasets.error());
  Content content{file, {}, {}, std::move(*attributes), {}, {}};
  content.status = content.attribute("/", "status");
  for (const DatasetInfo& d : *datasets)
    if (!d.path.starts_with("/checkpoint/")) content.datasets.push_back({d.path, d.unit, d.doc, d.shape});
  if (auto summary = read_dataset(file, "/model/summary")) content.model = summary->text;
  if (auto checkpoint = read_checkpoint(file)) content.checkpoint = std::move(*checkpoint);
  return content;
}

Content read_content(const std::string& path) {
  if (std::filesystem::is_directory(path)) return read_content(newest_in(path));
  return path.ends_with(".journal") ? read_journal(path) : read_results(path);
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t n : shape) text += (text.empty() ? "" : " x ") + fmt::format("{}", n);
  return shape.empty() ? "text" : text;
}

std::optional<double> checkpoint_time(const Content& content) {
  if (!content.checkpoint) return std::nullopt;
  const std::vector<double>* numbers = content.checkpoint->reals("numbers");
  return numbers == nullptr || numbers->empty() ? std::nullopt : std::optional<double>(numbers->front());
}

void print_content(const Content& content) {
  say("file         {}\n", content.file);
  say("title        {}\n", content.attribute("/meta", "title"));
  say("program      {}\n", content.attribute("/meta", "program"));
  say("status       {}\n", content.status);
  say("scene        {}\n", content.attribute("/scene", "file"));
  say("analyses     {}\n", content.attribute("/meta", "analyses"));
  if (const auto t = checkpoint_time(content)) say("checkpoint   t = {:.6g} s\n", *t);
  if (const auto model = parse_json(content.model, "/model/summary"))
    if (const std::string text = model_summary_text(*model); !text.empty()) say("\n{}", text);
  say("\n{:52} {:>16}  unit\n", "dataset", "shape");
  for (const Content::Entry& d : content.datasets)
    say("{:52} {:>16}  {:8} {}\n", d.path, shape_text(d.shape), d.unit, d.doc);
}

Json content_json(const Content& content) {
  Json json;
  json["file"] = content.file;
  json["title"] = content.attribute("/meta", "title");
  json["program"] = content.attribute("/meta", "program");
  json["status"] = content.status;
  json["analyses"] = content.attribute("/meta", "analyses");
  if (const auto t = checkpoint_time(content)) json["checkpoint_t"] = *t;
  if (auto model = parse_json(content.model, "/model/summary")) json["model"] = std::move(*model);
  json["datasets"] = Json::array();
  for (const Content::Entry& d : content.datasets)
    json["datasets"].push_back({{"path", d.path}, {"shape", d.shape}, {"unit", d.unit}, {"doc", d.doc}});
  return json;
}

std::string scene_form(const TermInfo& term) {
  return term.scene.table.empty() ? "built by parts"
                                  : fmt::format("[{}.NAME] type = \"{}\"", term.scene.table, term.scene.type);
}

Json build_json() {
  Json json;
  json["version"] = version;
  json["instruction_set"] = build_arch;
  json["lanes"] = native_lanes;
  json["results_format_version"] = results_format_version;
  json["terms"] = Json::array();
  for (const TermInfo& term : scene_terms()) {
    Json one;
    one["name"] = term.name;
    one["dimension"] = term.dim;
    one["scene"] = scene_form(term);
    one["fields"] = Json::array();
    for (const Field& field : term.fields)
      one["fields"].push_back({{"name", field.name}, {"unit", field.unit}, {"doc", field.doc}});
    json["terms"].push_back(one);
  }
  return json;
}

void print_build() {
  say("flexura {}\n", version);
  say("instruction set  {}, {} lanes\n", build_arch, native_lanes);
  say("results format   {}\n\nterms\n", results_format_version);
  for (const TermInfo& term : scene_terms()) {
    say("  {:24} {}\n", term.name, scene_form(term));
    for (const Field& field : term.fields)
      say("      {:20} {:10} {}\n", field.name, field.unit.empty() ? "1" : field.unit, field.doc);
    for (const Option& option : term.options) {
      std::string choices;
      for (const std::string_view choice : option.choices)
        choices += (choices.empty() ? "" : " | ") + std::string(choice);
      say("      {:20} {:10} {}\n", option.name, "", choices);
    }
  }
}

struct InfoArguments {
  std::string file;
  bool json = false;
};

}  // namespace

void add_info(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("info", "Show what a results file, or this build, holds");
  auto options = std::make_shared<InfoArguments>();
  command->add_option("FILE", options->file, "results.h5, run.journal or the folder of a run; none: this build");
  command->add_flag("--json", options->json, "As JSON");
  command->callback([options, &status] {
    if (options->file.empty()) {
      if (options->json)
        say("{}\n", json_text(build_json()));
      else
        print_build();
    } else {
      const Content content = read_content(options->file);
      if (options->json)
        say("{}\n", json_text(content_json(content)));
      else
        print_content(content);
    }
    status = success;
  });
}

}  // namespace flexura::cli
