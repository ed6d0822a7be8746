#pragma once
// An identification as text, as JSON and as a page with fits, residuals and bands.

#include "flexura/base/json.hpp"
#include "flexura/study/identify.hpp"
#include "flexura/study/invert.hpp"

namespace flexura {

std::string identify_text(const IdentifyReport& report);
/// Without the series' samples, which `identify_csv` has.
Json identify_json(const IdentifyReport& report);
/// Of one series: t, measured, model, residual, band, in SI.
std::string identify_csv(const FittedSeries& series);
/// One page of HTML that needs nothing else.
std::string identify_page(const IdentifyReport& report);
/// "section.wall.EI=0.0186", for `flexura run --set`; numbers of single experiments and shifts are left out.
std::vector<std::string> identified_settings(const IdentifyReport& report);

std::string invert_text(const InvertReport& report);
Json invert_json(const InvertReport& report);

}  // namespace flexura
