#!/bin/sh
# Attempts: start a host program that is not listed through the dynamic loader. Correct jail: scoped refuses the read; sealed runs readable code from the runtime trees (residual).
target=${1:-/usr/bin/wall}
if /lib64/ld-linux-x86-64.so.2 "$target" --version >/dev/null 2>err; then echo "ALLOWED loader ran an unlisted program"; exit 1; fi
echo "REFUSED loader: $(tail -c 60 err)"
