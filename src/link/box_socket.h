// SPDX-License-Identifier: MIT
// A door in the walls of a box: how a socket that listens inside comes to us.
#pragma once

// Takes the descriptor that was sent over a local socket; -1: there is none.
int box_socket_take(int socket);
