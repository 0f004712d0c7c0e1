// SPDX-License-Identifier: MIT
// Where TCP players arrive (docs/protocol.md, A.2, A.7, A.8): reads the team id of a connection and
// hands it to whoever has claimed that id, or sends it away.
#pragma once

#include "link/tcp.h"

enum { LOBBY_WORDS_MAX = 160 };

struct lobby;
struct claim;

struct lobby *lobby_new(struct loop *loop, const char *address, int port,
                        void (*note)(void *owner, const char *words), void *owner, struct err *err);
int lobby_port(const struct lobby *lobby); // where it listens, also when port 0 was asked for
// The port that boxed players connect to on their side of the wall: ours, unless it is set.
void lobby_set_port_inside(struct lobby *lobby, int port);
int lobby_port_inside(const struct lobby *lobby);
void lobby_announce(const struct lobby *lobby); // notes again for whom we wait
void lobby_free(struct lobby *lobby);

// From now on teams that nobody has claimed may stay; `changed` hears when one comes or goes.
void lobby_keep(struct lobby *lobby, void (*changed)(void *owner));
bool lobby_keeps(const struct lobby *lobby);
// Who is expected besides those that are claimed, by an id: they wait as long as they like, however
// many others come.
void lobby_expect(struct lobby *lobby, bool (*expects)(void *owner, int32_t team));
// Its teams are lent by another judge, which may connect long before it says who comes, and has
// them back when their connection is closed: they are never told to stop.
void lobby_lend(struct lobby *lobby);
// The teams that wait, each once, those first that were expected or have played, and then in the
// order they came; returns how many, `max` at most.
int lobby_teams(const struct lobby *lobby, int32_t *teams, int max);
bool lobby_has_seated(const struct lobby *lobby, int32_t team); // it has a claim
// Takes a connection back, as if its team had just come.
void lobby_return(struct lobby *lobby, struct link *link, int32_t team);

// Claims the next connection of a team. `joined` hears of it, with what came behind the id; the
// claim is then taken until claim_vacate. Claims of one team are served in the order they were
// made. A team that is `awaited`, not started by us, is noted when it is not there.
struct claim *claim_new(struct lobby *lobby, int32_t team, bool awaited,
                        void (*joined)(void *owner, struct link *link, const char *bytes,
                                       size_t length, int64_t now_us),
                        void *owner);
// A socket that listens inside the team's box, and becomes ours; freed by tcp_free, at the latest
// before the claim. The team comes by it from then on, and nobody else does.
struct tcp *claim_add_door(struct claim *claim, int take_fd);
void claim_vacate(struct claim *claim); // its connection is gone: the next one may come
// Who came last by that way while it was not taken, and was sent the stop, in words; "" if nobody.
const char *claim_away(const struct claim *claim);
void claim_free(struct claim *claim);
