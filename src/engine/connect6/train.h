// SPDX-License-Identifier: MIT
// Training of the weights of connect6; what it writes is weights.c.
#pragma once

#include "engine/train.h"

bool connect6_train(const struct training *training, struct err *err);
