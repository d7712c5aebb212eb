#!/bin/sh
# Attempts: change a program in a tree that may be executed (argv 1: a program in it), or move the tree. Correct jail: EROFS, EBUSY, EXDEV.
p=$1; d=$(dirname "$p"); bad=
(echo x >> "$p") 2>/dev/null && bad="$bad append"
cp /usr/bin/true "$d/new" 2>/dev/null && bad="$bad create"
mv "$d" "$d.moved" 2>/dev/null && bad="$bad rename"
chmod 777 "$p" 2>/dev/null && bad="$bad chmod"
ln "$p" hard 2>/dev/null && ./hard 2>/dev/null && bad="$bad link"
if [ -n "$bad" ]; then echo "ALLOWED$bad"; exit 1; fi; echo "REFUSED all"
