#pragma once
// How far two things that may touch are apart.

#include "flexura/math/vec.hpp"
#include "flexura/model/contact_model.hpp"
#include "flexura/model/model.hpp"

namespace flexura {

struct ContactGap {
  Vec<3, double> normal{};  ///< unit vector from b to a
  double gap = 0;           ///< [m]
};
/// Of a pair of members at positions q, whether they may touch or not.
ContactGap contact_gap(const ContactModel& contacts, const Topology& topology, ContactKey key, const double* q);

}  // namespace flexura
