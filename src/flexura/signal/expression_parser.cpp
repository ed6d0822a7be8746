#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numbers>
#include <utility>

#include "flexura/base/nearest_name.hpp"
#include "flexura/signal/expression_of.hpp"
#include "flexura/signal/expression_program.hpp"

namespace flexura {

using detail::Op;

/// Recursive descent, one function per level of precedence, that appends instructions as it goes:
///     comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
///     sum = product {("+" | "-") product}      product = factor {("*" | "/") factor}
///     factor = ("-" | "+") factor | primary ["^" factor]
///     primary = number | name | name "(" comparison {"," comparison} ")" | "(" comparison ")"
/// Unknown names are noted and parsing goes on; at anything else unexpected it stops.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Parameters& parameters, ExpressionScope scope,
                   std::span<const std::string_view> variables = {})
      : text_(text), parameters_(parameters), scope_(scope), variables_(variables) {
    out_.inputs_.assign(variables.begin(), variables.end());
  }

  ParsedExpression parse() {
    skip_blanks();
    if (peek() == '=' && !(at_ + 1 < text_.size() && text_[at_ + 1] == '=')) ++at_;
    comparison();
    skip_blanks();
    if (!stopped_ && at_ < text_.size()) {
      if (text_[at_] == ')') {
        stop(at_, 1, "there is no '(' to this ')'");
      } else {
        stop(at_, token_length(), "expected an operator or the end, found " + shown());
      }
    }
    if (!stopped_ && deepest_ > detail::stack_limit) {
      stop(0, text_.size(),
           "the expression is nested too deeply (more than " + std::to_string(detail::stack_limit) +
               " open values); split it");
    }
    ParsedExpression result;
    result.errors = std::move(errors_);
    if (result.errors.empty()) {
      out_.text_ = text_;
      out_.uses_time_ =
          std::any_of(out_.program_.begin(), out_.program_.end(), [](const auto& i) { return i.op == Op::time; });
      result.expression = std::move(out_);
    }
    return result;
  }

 private:
  // --- text ---
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool next_is(std::string_view symbol) {
    skip_blanks();
    return text_.substr(at_).starts_with(symbol);
  }
  bool accept(std::string_view symbol) {
    if (!next_is(symbol)) return false;
    at_ += symbol.size();
    return true;
  }
  static bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
  static bool in_name(char c) { return starts_name(c) || std::isdigit(static_cast<unsigned char>(c)); }
  /// A name at `at`; dots join names, as in section.wall.EI.
  std::string_view name_at(std::size_t at) const {
    std::size_t end = at;
    while (end < text_.size() && (in_name(text_[end]) || (text_[end] == '.' && end > at && end + 1 < text_.size() &&
                                                          starts_name(text_[end + 1]))))
      ++end;
    return text_.substr(at, end - at);
  }
  std::size_t token_length() const {
    if (at_ >= text_.size()) return 1;
    if (in_name(text_[at_])) return std::max<std::size_t>(1, name_at(at_).size());
    std::size_t end = at_ + 1;  // a character beyond ASCII is several bytes
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    return end - at_;
  }
  std::string shown() const {
    return at_ >= text_.size() ? "the end" : "'" + std::string(text_.substr(at_, token_length())) + "'";
  }
  void note(std::size_t at, std::size_t length, std::string message, std::string nearest = {}) {
    errors_.push_back({static_cast<int>(at) + 1, static_cast<int>(std::max<std::size_t>(1, length)), std::move(message),
                       std::move(nearest)});
  }
  void stop(std::size_t at, std::size_t length, std::string message, std::string nearest = {}) {
    if (!stopped_) note(at, length, std::move(message), std::move(nearest));
    stopped_ = true;
  }

  // --- program ---
  void emit(Op op, double value = 0, int argument = 0) {
    if (stopped_) return;  // operands may be missing
    auto& program = out_.program_;
    const int taken = detail::arity(op);
    program.push_back({op, static_cast<std::uint32_t>(argument), value});
    depth_ += 1 - taken;
    deepest_ = std::max(deepest_, depth_);
    if (taken == 0) return;
    const auto operands = program.end() - 1 - taken;
    if (!std::all_of(operands, program.end() - 1, [](const auto& i) { return i.op == Op::number; })) return;
    Expression constant;  // all operands are numbers: keep the result instead
    constant.program_.assign(operands, program.end());
    const double result = constant.value();
    program.erase(operands, program.end());
    program.push_back({Op::number, 0, result});
  }

  // --- grammar ---
  void comparison() {
    if (++nesting_ > detail::nesting_limit) stop(at_, 1, "the expression is nested too deeply");
    sum();
    constexpr std::array<std::pair<std::string_view, Op>, 6> operators{{{"<=", Op::less_equal},
                                                                        {">=", Op::greater_equal},
                                                                        {"==", Op::equal},
                                                                        {"!=", Op::not_equal},
                                                                        {"<", Op::less},
                                                                        {">", Op::greater}}};
    bool compared = false;
    for (bool again = true; again && !stopped_;) {
      again = false;
      for (const auto& [symbol, op] : operators) {
        const bool found = accept(symbol);
        if (!found) continue;
        if (compared) {
          stop(at_ - symbol.size(), symbol.size(),
               "comparisons cannot follow each other; multiply them: (a < b) * (b < c)");
          break;
        }
        compared = again = true;
        sum();
        emit(op);
        break;
      }
    }
    if (!stopped_ && next_is("=")) stop(at_, 1, "expected an operator, found '='; equality is written '=='");
    --nesting_;
  }

  void sum() {
    product();
    while (!stopped_) {
      const Op op = accept("+") ? Op::add : accept("-") ? Op::subtract : Op::number;
      if (op == Op::number) return;
      product();
      emit(op);
    }
  }

  void product() {
    factor();
    while (!stopped_) {
      if (next_is("**")) return stop(at_, 2, "expected a value, found '**'; powers are written '^'");
      const Op op = accept("*") ? Op::multiply : accept("/") ? Op::divide : Op::number;
      if (op == Op::number) return;
      factor();
      emit(op);
    }
  }

  void factor() {
    if (stopped_) return;
    if (++nesting_ > detail::nesting_limit) return stop(at_, 1, "the expression is nested too deeply");
    if (accept("-")) {
      factor();
      emit(Op::negate);
    } else if (accept("+")) {
      factor();
    } else {
      primary();
      if (!stopped_ && accept("^")) {
        factor();
        emit(Op::power);
      }
    }
    --nesting_;
  }

  void primary() {
    skip_blanks();
    const std::size_t at = at_;
    const char c = peek();
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (starts_name(c)) {
      const std::string_view name = name_at(at);
      at_ += name.size();
      return next_is("(") ? call(name, at) : variable(name, at);
    }
    if (!accept("(")) return stop(at_, token_length(), "expected a number, a name or '(', found " + shown());
    comparison();
    if (!stopped_ && !accept(")")) stop(at_, token_length(), "expected ')' or an operator, found " + shown());
  }

  void number() {
    double value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    const auto length = static_cast<std::size_t>(end - begin);
    if (error == std::errc::result_out_of_range) return stop(at_, length, "the number is outside the range of numbers");
    if (error != std::errc()) return stop(at_, 1, "expected a number, a name or '(', found " + shown());
    at_ += length;
    if (starts_name(peek()) || peek() == '.') {
      return stop(at_, token_length(), "expected an operator, found " + shown() + "; products are written with '*'");
    }
    emit(Op::number, value);
  }

  void variable(std::string_view name, std::size_t at) {
    const auto parameter = parameters_.find(name);
    if (const auto own = std::find(variables_.begin(), variables_.end(), name); own != variables_.end()) {
      if (parameter != parameters_.end())
        note(at, name.size(),
             "'" + std::string(name) + "' is a variable here and also a parameter; rename the parameter");
      return emit(Op::input, 0, static_cast<int>(own - variables_.begin()));
    }
    const bool is_time = name == "t";
    if (is_time && scope_ != ExpressionScope::constants) {
      if (parameter != parameters_.end())
        note(at, 1, "'t' is the time here and also a parameter; rename the parameter");
      return emit(Op::time);
    }
    if (parameter != parameters_.end()) return emit(Op::number, parameter->second);
    if (name == "pi") return emit(Op::number, std::numbers::pi);
    if (name == "e") return emit(Op::number, std::numbers::e);
    emit(Op::number, 1);  // to go on with
    if (is_time) return note(at, 1, "the time t is not known here: the value must be constant");
    if (is_reserved_name(name)) {
      return note(at, name.size(), "'" + std::string(name) + "' is a function, expected '(' after it");
    }
    std::vector<std::string> known{"pi", "e"};
    if (scope_ != ExpressionScope::constants) known.emplace_back("t");
    std::string expected = "expected a parameter";
    for (const std::string_view variable : variables_) {
      known.emplace_back(variable);
      expected += ", " + std::string(variable);
    }
    for (const auto& [parameter_name, value] : parameters_) known.push_back(parameter_name);
    note(at, name.size(),
         "unknown name '" + std::string(name) + "', " + expected + ", pi, e" +
             (scope_ == ExpressionScope::constants ? "" : " or t"),
         nearest_name(name, known));
  }

  void call(std::string_view name, std::size_t at) {
    if (name == "signal") return signal(at);
    const auto found = std::find_if(detail::functions.begin(), detail::functions.end(),
                                    [&](const detail::Function& f) { return f.name == name; });
    const bool known = found != detail::functions.end();
    if (!known) {
      std::vector<std::string> names;
      names.reserve(detail::functions.size());
      for (const detail::Function& f : detail::functions) names.emplace_back(f.name);
      const bool value = parameters_.contains(name) || name == "pi" || name == "e" || name == "t";
      note(at, name.size(),
           value ? "'" + std::string(name) + "' is a value, not a function; products are written with '*'"
                 : "unknown function '" + std::string(name) + "'",
           value ? "" : nearest_name(name, names));
    }
    accept("(");
    const std::size_t first = out_.program_.size();
    const int depth = depth_;
    int count = 0;
    if (!next_is(")")) {
      do {
        comparison();
        ++count;
        if (known && found->many && count > 1 && !stopped_) emit(found->op);
      } while (!stopped_ && accept(","));
    }
    if (stopped_) return;
    if (!accept(")")) return stop(at_, token_length(), "expected ',' or ')' or an operator, found " + shown());
    if (known && (found->many ? count >= found->arguments : count == found->arguments)) {
      if (!found->many) emit(found->op);
      return;
    }
    if (known) {
      note(at, at_ - at,
           std::string(name) + " takes " + (found->many ? "at least " : "") + std::to_string(found->arguments) +
               (found->arguments == 1 ? " value" : " values") + ", not " + std::to_string(count));
    }
    out_.program_.resize(first);  // one number in place of the wrong call, to go on with
    depth_ = depth;
    emit(Op::number, 1);
  }

  /// signal(name): the name is taken as written, up to the ')', in quotes or without.
  void signal(std::size_t at) {
    accept("(");
    skip_blanks();
    std::string_view name;
    if (const char quote = peek(); quote == '\'' || quote == '"') {
      const std::size_t end = text_.find(quote, at_ + 1);
      if (end == std::string_view::npos) return stop(at_, 1, "there is no second quote to this one");
      name = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      name = name_at(at_);
      at_ += name.size();
    }
    if (name.empty()) return stop(at_, token_length(), "expected the name of a signal, found " + shown());
    if (!accept(")")) return stop(at_, token_length(), "expected ')' after the name of the signal, found " + shown());
    if (scope_ != ExpressionScope::signals) {
      note(at, at_ - at, "signals cannot be used here");
      return emit(Op::number, 1);
    }
    auto& inputs = out_.inputs_;
    auto found = std::find(inputs.begin(), inputs.end(), name);
    if (found == inputs.end()) found = inputs.insert(inputs.end(), std::string(name));
    emit(Op::input, 0, static_cast<int>(found - inputs.begin()));
  }

  std::string_view text_;
  const Parameters& parameters_;
  ExpressionScope scope_;
  std::span<const std::string_view> variables_;
  std::size_t at_ = 0;
  int nesting_ = 0, depth_ = 0, deepest_ = 0;
  bool stopped_ = false;
  Expression out_;
  std::vector<ExpressionError> errors_;
};

ParsedExpression Expression::parse(std::string_view text, const Parameters& parameters, ExpressionScope scope) {
  return ExpressionParser(text, parameters, scope).parse();
}

ParsedExpression parse_expression_of(std::span<const std::string_view> variables, std::string_view text,
                                     const Parameters& parameters) {
  return ExpressionParser(text, parameters, ExpressionScope::constants, variables).parse();
}

bool is_reserved_name(std::string_view name) {
  return name == "t" || name == "pi" || name == "e" || name == "signal" ||
         std::any_of(detail::functions.begin(), detail::functions.end(),
                     [&](const detail::Function& f) { return f.name == name; });
}

std::string to_string(const ExpressionError& error) {
  return "column " + std::to_string(error.column) + ": " + error.message +
         (error.nearest.empty() ? "" : "; nearest: '" + error.nearest + "'");
}

}  // namespace flexura
