# SPDX-License-Identifier: MIT
"""python3 relay.py HOST [PORT]: joins port 8888 of this computer, where the players look for the
judge, to a judge on another one. Let it run as long as you play; Ctrl-C ends it."""
import os
import select
import socket
import socketserver
import sys
import threading


def pump(source, target):
    """Passes on all that comes from one side, and then that it has ended."""
    try:
        data = source.recv(65536)
        while data:
            target.sendall(data)
            data = source.recv(65536)
        target.shutdown(socket.SHUT_WR)
    except OSError:  # broken off: the other side shall know too
        for side in (source, target):
            try:
                side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it knows


class Relay(socketserver.BaseRequestHandler):
    def handle(self):
        """One player, from its coming to its leaving; each runs in a thread of its own."""
        player, judge = self.request, None
        first = player.recv(65536)  # its team number; it says no more before its first turn
        while judge is None:
            try:
                judge = socket.create_connection((HOST, PORT))
            except OSError as error:
                print("%s, port %d: %s; trying again" % (HOST, PORT, error))
                if select.select([player], [], [], 1)[0]:
                    return  # the player has left
        with judge:
            for side in (player, judge):
                side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # send, do not collect
            judge.sendall(first)
            back = threading.Thread(target=pump, args=(judge, player))
            back.start()
            pump(player, judge)
            back.join()


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True  # Ctrl-C does not wait for the players
    allow_reuse_address = os.name != "nt"  # on Windows it would let two relays share the port


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    HOST = sys.argv[1]
    PORT = int(sys.argv[2]) if len(sys.argv) == 3 else 8888
    try:
        with Server(("127.0.0.1", 8888), Relay) as server:
            print("Players on this computer now reach %s, port %d." % (HOST, PORT))
            server.serve_forever()
    except KeyboardInterrupt:
        pass
    except OSError as error:
        sys.exit("Port 8888 of this computer cannot be used: %s" % error)
