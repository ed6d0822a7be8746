#include "flexura/model/contact_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flexura/base/problem.hpp"

namespace flexura {

int ContactModel::find(const std::string& wanted) const {
  for (int member = 0; member < size(); ++member)
    if (name(member) == wanted || (!is_plane(member) && spheres[member].family == wanted)) return member;
  return -1;
}

int ContactModel::find_group(const std::string& wanted) const {
  for (size_t g = 0; g < groups.size(); ++g)
    if (groups[g].name == wanted) return static_cast<int>(g);
  return -1;
}

int ContactModel::group_of(ContactKey key) const {
  if (are_tied(key)) return -1;
  for (size_t g = 0; g < groups.size(); ++g) {
    const std::vector<int>& members = groups[g].members;
    if (std::binary_search(members.begin(), members.end(), key.a) &&
        std::binary_search(members.begin(), members.end(), key.b))
      return static_cast<int>(g);
  }
  return -1;
}

std::string contacts_refusal(const ContactModel* contacts) {
  if (contacts == nullptr || contacts->empty()) return {};
  return fmt::format(
      "contact.{} acts here, and contacts are for static analyses without `arc_length` and for dynamic ones by "
      "\"generalized-alpha\", \"hht\" or \"newmark\"; its `from` and `until` say in which it acts",
      contacts->groups.front().name);
}

void refuse_contacts(const ContactModel* contacts, const std::string& method) {
  if (contacts == nullptr || contacts->empty()) return;
  throw InputError({{{},
                     "contact." + contacts->groups.front().name,
                     fmt::format("{} does not know contacts; statics, generalized-alpha, hht and newmark do", method),
                     {}}});
}

}  // namespace flexura
