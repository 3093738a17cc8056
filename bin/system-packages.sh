#!/bin/sh
# What the tests need from the operating system: a browser, Japanese glyphs, gettext.
# Debian and Ubuntu: installed when we may; elsewhere: named.
set -eu
missing=""
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || missing="$missing chromium"
command -v msgfmt >/dev/null 2>&1 || missing="$missing gettext"
if ! { command -v fc-list >/dev/null 2>&1 && [ -n "$(fc-list :lang=ja family 2>/dev/null)" ]; }; then
    missing="$missing fonts-noto-cjk"
fi
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        as_root="no"
    fi
fi
if [ "$as_root" = no ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "The tests need these packages of the system, please install them:$missing" >&2
    exit 1
fi
echo "Installing what the tests need:$missing (a minute or two, once)"
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # both hold words
if ! { $as_root apt-get update && $as_root apt-get install -y --no-install-recommends $missing fontconfig; } \
    >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    echo "Please install them by hand:$missing" >&2
    exit 1
fi
rm -f "$log"
