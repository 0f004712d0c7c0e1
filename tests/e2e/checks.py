"""What tests share that are functions, each named by its own words: they are run, and print TAP."""
import random
import socket
import sys

counts = {"run": 0, "failed": 0}
held = []  # names that say which ports are ours, as long as we live


def check(function):
    counts["run"] += 1
    try:
        function()
        print(f"ok {counts['run']} - {function.__doc__}")
    except Exception as error:  # whatever it is, it is a failure
        counts["failed"] += 1
        print(f"not ok {counts['run']} - {function.__doc__}")
        for file in sys.stdout, sys.stderr:
            print("# " + repr(error).replace("\\n", "\n# "), file=file)
    sys.stdout.flush()


def finish():
    print(f"1..{counts['run']}")
    sys.exit(counts["failed"] > 0)


def free_port():
    """Below those that connections are given, where a player that dials could meet itself; and no other test's that
    runs at once."""
    while True:
        port = random.randrange(20000, 30000)
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind(f"\0arbiter-test-port-{port}")
        except OSError:
            name.close()
            continue
        held.append(name)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
