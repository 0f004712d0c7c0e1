// SPDX-License-Identifier: MIT
// OpenSSL, which is loaded with the server alone.
#pragma once

#include "base/library.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>

#define SSL_FUNCTIONS(X)                                                                           \
    X(ERR_clear_error)                                                                             \
    X(EVP_Digest)                                                                                  \
    X(EVP_EncodeBlock)                                                                             \
    X(EVP_sha1)                                                                                    \
    X(SSL_CTX_check_private_key)                                                                   \
    X(SSL_CTX_ctrl)                                                                                \
    X(SSL_CTX_free)                                                                                \
    X(SSL_CTX_new)                                                                                 \
    X(SSL_CTX_set_alpn_select_cb)                                                                  \
    X(SSL_CTX_set_options)                                                                         \
    X(SSL_CTX_use_PrivateKey_file)                                                                 \
    X(SSL_CTX_use_certificate_chain_file)                                                          \
    X(SSL_accept)                                                                                  \
    X(SSL_free)                                                                                    \
    X(SSL_get_error)                                                                               \
    X(SSL_new)                                                                                     \
    X(SSL_read)                                                                                    \
    X(SSL_select_next_proto)                                                                       \
    X(SSL_set_fd)                                                                                  \
    X(SSL_shutdown)                                                                                \
    X(SSL_write)                                                                                   \
    X(TLS_server_method)

struct libssl {
    SSL_FUNCTIONS(LIBRARY_MEMBER)
};

bool libssl_load(struct err *err);
const struct libssl *libssl(void); // its functions, once it is loaded
