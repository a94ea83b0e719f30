#!/bin/sh
# Lays out the root of the image: "image-root.sh PACKAGE FOLDER", from the root of a clone after "npm ci".
# The package, the Node that package-lock.json names, the libraries that it is linked with, and a user without a name.
set -eu
package=$1
image=$2

mkdir -p "$image/opt/soundings" "$image/usr/bin" "$image/etc" "$image/data"
tar -xzf "$package" -C "$image/opt/soundings" --strip-components=1
cp deploy/health.mjs "$image/opt/soundings/health.mjs"

node=$(node_modules/.bin/node -p 'require("node:fs").realpathSync(process.execPath)')
cp "$node" "$image/usr/bin/node"

# Each library at the place where Node looks for it, and the loader at the place that is written into Node.
ldd "$node" | grep -o '/[^ ]*' | while read -r library; do
  mkdir -p "$image$(dirname "$library")"
  cp -L "$library" "$image$library"
done

echo 'soundings:x:10001:10001::/data:/sbin/nologin' > "$image/etc/passwd"
echo 'soundings:x:10001:' > "$image/etc/group"
# Names of /etc/hosts first, as everywhere.
echo 'hosts: files dns' > "$image/etc/nsswitch.conf"

# Where a volume is mounted, which takes the owner of this folder; and what a container without a tmpfs has instead of one.
mkdir -m 1777 "$image/tmp"
chmod 0700 "$image/data"
chown 10001:10001 "$image/data"
chmod -R a+rX "$image/opt" "$image/usr" "$image/etc"
