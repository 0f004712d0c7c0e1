#!/bin/sh
# Strangers who say anything to the server, over real sockets, from a fixed seed. Prints TAP.
exec python3 tests/e2e/strangers.py --seed "${TEST_SEED:-1}" --rounds "${STRANGERS:-300}"
