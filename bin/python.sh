# Sourced by bin/up and bin/test: prints a Python of at least 3.11, or says what to install.
find_python() {
    for name in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
        if [ -n "$name" ] && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$name"
            return 0
        fi
    done
    echo "Hikae needs Python 3.11 or newer. On Debian and Ubuntu: apt-get install python3 python3-venv" >&2
    return 1
}
