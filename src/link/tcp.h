// SPDX-License-Identifier: MIT
// A listening socket that hands out links for connections.
#pragma once

#include "link/link.h"

struct tcp;

// Whether nobody listens there; true as well if that cannot be said.
bool tcp_is_free(const char *address, int port);

// Listens on address and port (SO_REUSEADDR); `opened` hears of each connection as a link, whose
// events it sets with link_watch before it returns, or frees. TCP_NODELAY is set on every
// connection.
struct tcp *tcp_new(struct loop *loop, const char *address, int port,
                    void (*opened)(void *owner, struct link *link, int64_t now_us), void *owner,
                    struct err *err);
// The same for a socket that listens already, which becomes its own.
struct tcp *tcp_adopt(struct loop *loop, int take_fd,
                      void (*opened)(void *owner, struct link *link, int64_t now_us), void *owner);
int tcp_port(const struct tcp *tcp); // the port, also when 0 was asked for
void tcp_free(struct tcp *tcp);

// A connection to a port of this machine, as a link; NULL with an error if nobody listens there.
struct link *tcp_connect(struct loop *loop, int port, const struct link_events *events, void *owner,
                         struct err *err);

// The IPv4 address of the other side; 0 where there is none.
uint32_t tcp_address(const struct link *link);
// Hands over what has come by now, before the loop would; the owner may free the link meanwhile.
void tcp_look(struct link *link);

// Gives a link a new owner, who hears what comes from now on.
void link_watch(struct link *link, const struct link_events *events, void *owner);
