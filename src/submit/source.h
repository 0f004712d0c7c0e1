// SPDX-License-Identifier: MIT
// The folder of sources in what was handed in: an archive, one file, or a folder.
#pragma once

#include "submit/recipe.h"
#include "submit/submit.h"

enum { SOURCE_WHY_MAX = 500 };

// Opens what lies at a path; an archive is unpacked into `into`, a file of source copied there.
// `folder` gets the folder. False with an error: a circumstance here; without one: it is refused,
// and `why` says why.
bool source_open(const struct submit_job *job, const char *into, struct buf *folder,
                 char why[static SOURCE_WHY_MAX], struct err *err);
// Goes down to where the sources lie: into the only folder of a folder, and then to the one of
// those below it that has sources, the nearest. A folder that has sources is left as it is, and one
// in which there are none. False: there are several, and `why` names them.
bool source_go_down(struct buf *folder, const struct recipe_job *job,
                    char why[static SOURCE_WHY_MAX]);
