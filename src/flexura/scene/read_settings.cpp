#include "flexura/scene/read_settings.hpp"

#include <algorithm>

namespace flexura {
namespace {

class RecordReader : public SettingsVisitor {
 public:
  RecordReader(const Record& record, std::vector<Problem>& problems) : record_(record), problems_(problems) {}

  void read(Settings& settings) {
    settings.fields(*this);
    for (const SettingsProblem& problem : settings.problems())
      problems_.push_back({record_.source_of(problem.at),
                           problem.key.empty() ? record_.path : record_.path + "." + problem.key,
                           problem.message,
                           {}});
  }

 protected:
  void number(double& x, FieldSpec spec) override { x = record_.number(spec.name, x); }
  void written_number(std::optional<double>& x, FieldSpec spec) override {
    if (const double* written = record_.get<double>(spec.name)) x = *written;
  }
  void integer(int& x, FieldSpec spec) override { x = static_cast<int>(record_.integer(spec.name, x)); }
  void boolean(bool& x, FieldSpec spec) override { x = record_.boolean(spec.name); }
  void text(std::string& x, FieldSpec spec) override {
    if (record_.has(spec.name)) x = record_.text(spec.name);
  }
  void numbers(std::vector<double>& x, FieldSpec spec) override {
    if (const Numbers* written = record_.get<Numbers>(spec.name)) x = *written;
  }
  void choice(int& index, FieldSpec spec) override {
    const std::string name = record_.text(spec.name);
    const auto found = std::find_if(spec.choices.begin(), spec.choices.end(),
                                    [&](const Choice& choice) { return choice.name == name; });
    if (found != spec.choices.end()) index = static_cast<int>(found - spec.choices.begin());
  }
  bool group(Settings& values, FieldSpec spec) override {
    const Record* written = nested(record_, spec.name);
    if (written != nullptr) RecordReader(*written, problems_).read(values);
    return written != nullptr;
  }
  std::shared_ptr<Settings> row(SettingsRows rows, FieldSpec spec) override {
    const Record* written = nested(record_, spec.name);
    return written == nullptr ? nullptr : read_settings(*written, rows, problems_);
  }

 private:
  const Record& record_;
  std::vector<Problem>& problems_;
};

}  // namespace

std::shared_ptr<Settings> read_settings(const Record& record, SettingsRows rows, std::vector<Problem>& problems) {
  const SettingsRow* row = find_row(rows, record.type);
  if (row == nullptr) return nullptr;
  std::shared_ptr<Settings> settings = row->make();
  RecordReader(record, problems).read(*settings);
  return settings;
}

}  // namespace flexura
