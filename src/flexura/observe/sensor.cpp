#include "flexura/observe/sensor.hpp"

namespace flexura {

void SensorSpec::find_items(const Machine& machine) {
  for (ElementPlace& at : elements)
    at.item = machine.item(plate >= 0 ? machine.plates[plate].model.elements[at.element].name
                                      : machine.cables[cable].elements[at.element].name);
  for (JointReaction::ItemShare& share : item_shares) share.item = machine.item(share.name);
}

}  // namespace flexura
