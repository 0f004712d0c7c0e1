# A PostgreSQL of our own in a folder, with the defaults of a real server, on a socket there and no port: postgres_start FOLDER sets
# postgres_url. It does not run as root, so root becomes the user postgres, whom Debian's package has
# made. Sourced by tests.
# shellcheck shell=sh disable=SC2034
postgres_folder=
export PGCTLTIMEOUT=3600 # with what hangs; how long anything takes decides nothing

postgres_run() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
    else
        "$@"
    fi
}

postgres_start() {
    postgres_folder=$1/postgres
    postgres_programs=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
    mkdir "$postgres_folder" && chmod 755 "$1" || return 1
    [ "$(id -u)" != 0 ] || chown postgres "$postgres_folder"
    postgres_run "$postgres_programs/initdb" -D "$postgres_folder/data" -U arbiter -A trust -E UTF8 \
        --locale=C.UTF-8 >"$postgres_folder.log" 2>&1 || return 1
    postgres_run "$postgres_programs/pg_ctl" -D "$postgres_folder/data" -w -s -l "$postgres_folder/log" \
        -o "-c listen_addresses= -k $postgres_folder" start >>"$postgres_folder.log" 2>&1 ||
        return 1
    postgres_url="postgresql:///postgres?host=$postgres_folder&user=arbiter"
}

postgres_stop() {
    [ -d "$postgres_folder/data" ] || return 0
    postgres_run "$postgres_programs/pg_ctl" -D "$postgres_folder/data" -m immediate -s stop || true
}

# The command that restarts the server at once, without waiting for those who use it.
postgres_restart_command() {
    as=
    [ "$(id -u)" != 0 ] || as='setpriv --reuid=postgres --regid=postgres --clear-groups'
    echo "$as $postgres_programs/pg_ctl -D $postgres_folder/data -m immediate -w -s" \
        "-l $postgres_folder/log restart"
}
