#include "flexura/study/linear_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>

#include "flexura/base/file.hpp"
#include "flexura/base/problem.hpp"
#include "flexura/base/text.hpp"
#include "flexura/fmi/zip_file.hpp"
#include "flexura/output/csv_file.hpp"

namespace flexura {
namespace {

using Complex = std::complex<double>;

std::vector<std::string> names_of(const std::vector<NamedUnit>& of) {
  std::vector<std::string> out;
  for (const NamedUnit& one : of) out.push_back(one.name);
  return out;
}
std::vector<std::string> units_of(const std::vector<NamedUnit>& of) {
  std::vector<std::string> out;
  for (const NamedUnit& one : of) out.push_back(one.unit);
  return out;
}

double hertz(Complex pole) { return std::abs(pole) / (2 * std::numbers::pi); }
double damping_ratio(Complex pole) { return std::abs(pole) == 0 ? 0 : -pole.real() / std::abs(pole); }

/// "0.1 ± 12i"; one of a pair stands for both.
std::string pole_text(Complex pole, bool pair) {
  if (!pair && pole.imag() == 0) return fmt::format("{:.6g}", pole.real());
  return fmt::format("{:.6g} {} {:.6g}i", pole.real(),
                     pair              ? "±"
                     : pole.imag() < 0 ? "-"
                                       : "+",
                     std::fabs(pole.imag()));
}

std::string poles_text(const LinearResults& results) {
  constexpr std::size_t most = 20;
  std::string out = fmt::format("{:>32}  {:>14}  {:>10}\n", "eigenvalue [1/s]", "|s|/2π [Hz]", "damping");
  const std::vector<Complex>& poles = results.poles;
  std::size_t shown = 0, k = 0;
  for (; k < poles.size() && shown < most; ++k, ++shown) {
    const bool pair = k + 1 < poles.size() && poles[k].imag() != 0 &&
                      std::abs(poles[k] - std::conj(poles[k + 1])) <= 1e-6 * std::abs(poles[k]);
    append_text(out, "{:>32}  {:>14.6g}  {:>10.4g}\n", pole_text(poles[k], pair), hertz(poles[k]),
                damping_ratio(poles[k]));
    k += pair ? 1 : 0;
  }
  if (k < poles.size()) append_text(out, "  the least {} of {}\n", k, poles.size());
  const auto growing = std::ranges::count_if(poles, [](Complex s) { return s.real() > 1e-9 * (1 + std::abs(s)); });
  if (growing > 0) append_text(out, "  unstable: {} with a positive real part\n", growing);
  return out;
}

std::string response_text(const FrequencyResponses& r) {
  const std::size_t pairs = r.inputs.size() * r.outputs.size();
  if (pairs == 0) return {};
  if (pairs > 3)
    return fmt::format("responses of {} pairs at {} frequencies: in the files\n", pairs, r.frequencies.size());
  std::string out = fmt::format("{:>14}", "f [Hz]");
  for (const NamedUnit& output : r.outputs)
    for (const NamedUnit& input : r.inputs)
      append_text(out, "  {:>24}  {:>10}", fmt::format("|{}/{}|", output.name, input.name), "phase [°]");
  out += '\n';
  for (std::size_t f = 0; f < r.frequencies.size(); ++f) {
    append_text(out, "{:>14.6g}", r.frequencies[f]);
    for (std::size_t k = 0; k < pairs; ++k) {
      const Complex h = r.response[f * pairs + k];
      append_text(out, "  {:>24.6g}  {:>10.2f}", std::abs(h), std::arg(h) * 180 / std::numbers::pi);
    }
    out += '\n';
  }
  return out;
}

Json rows_json(const std::vector<double>& values, std::size_t rows) {
  Json out = Json::array();
  const std::size_t columns = rows == 0 ? 0 : values.size() / rows;
  for (std::size_t i = 0; i < rows; ++i)
    out.push_back(std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(i * columns),
                                      values.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns)));
  return out;
}

// ---- MATLAB ----

std::string matlab_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

void matlab_matrix(std::string& out, const char* name, const std::vector<double>& values, std::size_t rows,
                   std::size_t columns) {
  if (rows == 0 || columns == 0) {
    append_text(out, "{} = zeros({}, {});\n", name, rows, columns);
    return;
  }
  append_text(out, "{} = [\n", name);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) append_text(out, " {}", values[i * columns + j]);
    out += '\n';
  }
  out += "];\n";
}

void matlab_texts(std::string& out, const std::string& name, const std::vector<std::string>& texts) {
  append_text(out, "{} = {{", name);
  for (const std::string& text : texts) append_text(out, "{}; ", matlab_quoted(text));
  out += "};\n";
}

// ---- NumPy ----

std::string npy(const std::string& type, const std::vector<std::size_t>& shape, std::string_view bytes) {
  std::string sizes;
  for (const std::size_t n : shape) append_text(sizes, "{}, ", n);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, sizes);
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string out = "\x93NUMPY";
  out += '\1', out += '\0';
  out += static_cast<char>(header.size() & 0xff), out += static_cast<char>(header.size() >> 8);
  return out + header + std::string(bytes);
}

std::string npy(const std::vector<double>& values, const std::vector<std::size_t>& shape) {
  return npy("<f8", shape, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}
std::string npy(const std::vector<Complex>& values, const std::vector<std::size_t>& shape) {
  return npy("<c16", shape, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Complex)});
}

std::vector<std::uint32_t> code_points(const std::string& text) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    std::uint32_t c = more == 0 ? lead : lead & (0x3fu >> more);
    for (int k = 1; k <= more && i + static_cast<std::size_t>(k) < text.size(); ++k)
      c = c << 6 | (static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]) & 0x3fu);
    out.push_back(c);
    i += static_cast<std::size_t>(more) + 1;
  }
  return out;
}

std::string npy(const std::vector<std::string>& texts) {
  std::vector<std::vector<std::uint32_t>> all;
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, all.emplace_back(code_points(text)).size());
  std::vector<std::uint32_t> padded;
  for (std::vector<std::uint32_t>& text : all) {
    text.resize(width, 0);
    padded.insert(padded.end(), text.begin(), text.end());
  }
  return npy(fmt::format("<U{}", width), {texts.size()},
             {reinterpret_cast<const char*>(padded.data()), padded.size() * sizeof(std::uint32_t)});
}

/// Of an output per input: "m/N"; that of the output where the input's is unknown.
std::string unit_of_ratio(const std::string& output, const std::string& input) {
  if (input.empty() || input == "1") return output;
  if (output == input) return "1";
  const bool is_plain = input.find_first_of(" */") == std::string::npos;
  return fmt::format("{}/{}", output.empty() ? "1" : output, is_plain ? input : "(" + input + ")");
}

/// A table with a heading for each column and a name for each row.
std::string named_rows(const std::vector<NamedUnit>& rows, const std::vector<NamedUnit>& columns,
                       const std::vector<double>& values) {
  std::string out = "name";
  for (const NamedUnit& column : columns) out += "," + csv_field(column.name);
  out += '\n';
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += csv_field(rows[i].name);
    for (std::size_t j = 0; j < columns.size(); ++j) append_text(out, ",{}", values[i * columns.size() + j]);
    out += '\n';
  }
  return out;
}

}  // namespace

std::string linear_text(const LinearResults& results) {
  std::string out;
  if (results.model) {
    const LinearModel& m = *results.model;
    append_text(out, "{} at t = {:.6g} s: {} states, {} inputs, {} outputs; {} constraints projected out\n",
                results.scene, m.t, m.states.size(), m.inputs.size(), m.outputs.size(), m.constraints);
    double most = 0;
    std::size_t where = 0;
    for (std::size_t k = 0; k < m.drift.size(); ++k)
      if (std::fabs(m.drift[k]) > most) most = std::fabs(m.drift[k]), where = k;
    if (most > 1e-6)
      append_text(out, "not at rest: largest rate {:.4g} {} of {}\n", most,
                  m.states[where].unit.empty() ? "1/s" : m.states[where].unit + "/s", m.states[where].name);
    if (!m.without_inertia.empty())
      append_text(out, "without inertia, no states: {}\n", joined_text(m.without_inertia, ", "));
    if (m.shifted) out += "inputs prescribe motions: states are coordinates less multiples of the inputs\n";
    out += results.without_poles.empty() ? poles_text(results) : results.without_poles + "\n";
  }
  if (results.responses) out += response_text(*results.responses);
  return out;
}

Json linear_json(const LinearResults& results) {
  Json json{{"scene", results.scene}};
  if (results.model) {
    const LinearModel& m = *results.model;
    json["t"] = m.t;
    json["states"] = names_of(m.states);
    json["inputs"] = names_of(m.inputs);
    json["outputs"] = names_of(m.outputs);
    json["state_units"] = units_of(m.states);
    json["input_units"] = units_of(m.inputs);
    json["output_units"] = units_of(m.outputs);
    json["A"] = rows_json(m.A, m.states.size());
    json["B"] = rows_json(m.B, m.states.size());
    json["C"] = rows_json(m.C, m.outputs.size());
    json["D"] = rows_json(m.D, m.outputs.size());
    json["x"] = m.x, json["u"] = m.u, json["y"] = m.y, json["drift"] = m.drift;
    json["constraints"] = m.constraints;
    json["without_inertia"] = m.without_inertia;
    json["shifted"] = m.shifted;
    Json poles = Json::array();
    for (const Complex s : results.poles)
      poles.push_back(
          {{"real", s.real()}, {"imag", s.imag()}, {"frequency", hertz(s)}, {"damping_ratio", damping_ratio(s)}});
    json["eigenvalues"] = results.without_poles.empty() ? poles : Json(nullptr);
    if (!results.without_poles.empty()) json["eigenvalues_reason"] = results.without_poles;
    json["warnings"] = m.warnings;
  }
  if (results.responses) {
    const FrequencyResponses& r = *results.responses;
    Json real = Json::array(), imag = real;
    for (std::size_t f = 0; f < r.frequencies.size(); ++f)
      for (Json* to : {&real, &imag}) {
        std::vector<double> part;
        const std::size_t pairs = r.inputs.size() * r.outputs.size();
        for (std::size_t k = 0; k < pairs; ++k) {
          const Complex h = r.response[f * pairs + k];
          part.push_back(to == &real ? h.real() : h.imag());
        }
        to->push_back(rows_json(part, r.outputs.size()));
      }
    json["response"] = {{"inputs", names_of(r.inputs)},
                        {"outputs", names_of(r.outputs)},
                        {"frequencies", r.frequencies},
                        {"real", real},
                        {"imag", imag},
                        {"warnings", r.warnings}};
  }
  return json;
}

std::string linear_matlab(const LinearResults& results) {
  std::string out = fmt::format("% {}: a linear model of Flexura, dx/dt = A x + B u, y = C x + D u\n", results.scene);
  if (results.model) {
    const LinearModel& m = *results.model;
    const std::size_t n = m.states.size(), nu = m.inputs.size(), ny = m.outputs.size();
    append_text(out, "t = {};\n", m.t);
    matlab_matrix(out, "A", m.A, n, n);
    matlab_matrix(out, "B", m.B, n, nu);
    matlab_matrix(out, "C", m.C, ny, n);
    matlab_matrix(out, "D", m.D, ny, nu);
    matlab_matrix(out, "x", m.x, n, 1);
    matlab_matrix(out, "u", m.u, nu, 1);
    matlab_matrix(out, "y", m.y, ny, 1);
    matlab_matrix(out, "drift", m.drift, n, 1);
    const std::pair<const char*, const std::vector<NamedUnit>*> all[] = {
        {"state", &m.states}, {"input", &m.inputs}, {"output", &m.outputs}};
    for (const auto& [what, of] : all) {
      matlab_texts(out, fmt::format("{}_names", what), names_of(*of));
      matlab_texts(out, fmt::format("{}_units", what), units_of(*of));
    }
    out += "% sys = ss(A, B, C, D, 'StateName', state_names, 'InputName', input_names, 'OutputName', output_names);\n";
  }
  if (results.responses) {
    const FrequencyResponses& r = *results.responses;
    const std::size_t pairs = r.inputs.size() * r.outputs.size();
    matlab_matrix(out, "f", r.frequencies, r.frequencies.size(), 1);
    matlab_texts(out, "response_inputs", names_of(r.inputs));
    matlab_texts(out, "response_outputs", names_of(r.outputs));
    append_text(out, "H = zeros({}, {}, {});  % outputs, inputs, frequencies\n", r.outputs.size(), r.inputs.size(),
                r.frequencies.size());
    for (std::size_t f = 0; f < r.frequencies.size() && pairs > 0; ++f) {
      append_text(out, "H(:, :, {}) = [", f + 1);
      for (std::size_t k = 0; k < pairs; ++k) {
        const Complex h = r.response[f * pairs + k];
        append_text(out, "{}complex({}, {})", k == 0 ? "" : k % r.inputs.size() == 0 ? "; " : ", ", h.real(), h.imag());
      }
      out += "];\n";
    }
  }
  return out;
}

std::string linear_npz(const LinearResults& results) {
  std::vector<ZipEntry> entries;
  const auto add = [&](const std::string& name, std::string content) {
    entries.push_back({name + ".npy", std::move(content)});
  };
  if (results.model) {
    const LinearModel& m = *results.model;
    const std::size_t n = m.states.size(), nu = m.inputs.size(), ny = m.outputs.size();
    add("t", npy(std::vector<double>{m.t}, {}));
    add("A", npy(m.A, {n, n})), add("B", npy(m.B, {n, nu})), add("C", npy(m.C, {ny, n})), add("D", npy(m.D, {ny, nu}));
    add("x", npy(m.x, {n})), add("u", npy(m.u, {nu})), add("y", npy(m.y, {ny})), add("drift", npy(m.drift, {n}));
    add("states", npy(names_of(m.states))), add("inputs", npy(names_of(m.inputs)));
    add("outputs", npy(names_of(m.outputs)));
    add("state_units", npy(units_of(m.states))), add("input_units", npy(units_of(m.inputs)));
    add("output_units", npy(units_of(m.outputs)));
    if (results.without_poles.empty()) add("eigenvalues", npy(results.poles, {results.poles.size()}));
  }
  if (results.responses) {
    const FrequencyResponses& r = *results.responses;
    add("frequencies", npy(r.frequencies, {r.frequencies.size()}));
    add("response", npy(r.response, {r.frequencies.size(), r.outputs.size(), r.inputs.size()}));
    add("response_inputs", npy(names_of(r.inputs))), add("response_outputs", npy(names_of(r.outputs)));
  }
  return zip_archive(entries);
}

std::vector<std::pair<std::string, std::string>> linear_tables(const LinearResults& results) {
  std::vector<std::pair<std::string, std::string>> out;
  if (results.model) {
    const LinearModel& m = *results.model;
    out.emplace_back("A.csv", named_rows(m.states, m.states, m.A));
    out.emplace_back("B.csv", named_rows(m.states, m.inputs, m.B));
    out.emplace_back("C.csv", named_rows(m.outputs, m.states, m.C));
    out.emplace_back("D.csv", named_rows(m.outputs, m.inputs, m.D));
    if (results.without_poles.empty()) {
      NumberTable table{{{"real", "1/s"}, {"imag", "1/s"}, {"frequency", "Hz"}, {"damping_ratio", "1"}}, {}};
      for (const Complex s : results.poles)
        for (const double x : {s.real(), s.imag(), hertz(s), damping_ratio(s)}) table.values.push_back(x);
      out.emplace_back("eigenvalues.csv", csv_text(table));
    }
  }
  if (results.responses) {
    const FrequencyResponses& r = *results.responses;
    NumberTable table{{{"f", "Hz"}}, {}};
    for (const NamedUnit& output : r.outputs)
      for (const NamedUnit& input : r.inputs)
        for (const char* part : {"magnitude", "phase"})
          table.headings.push_back({fmt::format("{}/{} {}", output.name, input.name, part),
                                    part[0] == 'p' ? "rad" : unit_of_ratio(output.unit, input.unit)});
    const std::size_t pairs = r.inputs.size() * r.outputs.size();
    for (std::size_t f = 0; f < r.frequencies.size(); ++f) {
      table.values.push_back(r.frequencies[f]);
      for (std::size_t k = 0; k < pairs; ++k) {
        table.values.push_back(std::abs(r.response[f * pairs + k]));
        table.values.push_back(std::arg(r.response[f * pairs + k]));
      }
    }
    out.emplace_back("response.csv", csv_text(table));
  }
  return out;
}

void check_linear_path(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending.empty() || ending == ".json" || ending == ".m" || ending == ".npz" || std::filesystem::is_directory(path))
    return;
  throw InputError({{{},
                     "--output",
                     fmt::format("\"{}\" ends in none of .json, .m and .npz; without an ending it is a folder of "
                                 "CSV tables",
                                 path),
                     {}}});
}

void write_linear(const LinearResults& results, const std::string& path) {
  const auto write = [](const std::string& to, const std::string& text) {
    if (const std::string error = write_file(to, text); !error.empty()) throw FileError(error);
  };
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".json") return write(path, json_text(linear_json(results)) + "\n");
  if (ending == ".m") return write(path, linear_matlab(results));
  if (ending == ".npz") return write(path, linear_npz(results));
  check_linear_path(path);
  for (const auto& [name, text] : linear_tables(results)) write((std::filesystem::path(path) / name).string(), text);
}

}  // namespace flexura
