// SPDX-License-Identifier: MIT
// libpq, which is loaded with the first store of PostgreSQL: it brings some twenty libraries.
#pragma once

#include "base/library.h"

#include <libpq-fe.h>

#define PQ_FUNCTIONS(X)                                                                            \
    X(PQclear)                                                                                     \
    X(PQconnectdb)                                                                                 \
    X(PQdb)                                                                                        \
    X(PQerrorMessage)                                                                              \
    X(PQexec)                                                                                      \
    X(PQexecParams)                                                                                \
    X(PQfinish)                                                                                    \
    X(PQfreemem)                                                                                   \
    X(PQftype)                                                                                     \
    X(PQgetlength)                                                                                 \
    X(PQgetvalue)                                                                                  \
    X(PQhost)                                                                                      \
    X(PQnfields)                                                                                   \
    X(PQntuples)                                                                                   \
    X(PQping)                                                                                      \
    X(PQreset)                                                                                     \
    X(PQresultErrorField)                                                                          \
    X(PQresultStatus)                                                                              \
    X(PQsetNoticeProcessor)                                                                        \
    X(PQstatus)                                                                                    \
    X(PQtransactionStatus)                                                                         \
    X(PQunescapeBytea)

struct pq {
    PQ_FUNCTIONS(LIBRARY_MEMBER)
};

bool pq_load(struct err *err);
const struct pq *pq(void); // its functions, once it is loaded
