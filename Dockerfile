# Builds the image of the platform: docker build -t tollgate .
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# `--include=dev` installs the build tools even if NODE_ENV is production. `--no-workspaces` omits packages of the tests.
RUN npm ci --include=dev --no-workspaces
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build-unchecked.mjs scripts/inline-files.mjs scripts/build-platform.mjs scripts/bundle-entry-points.mjs ./scripts/
COPY src ./src
COPY console ./console
COPY lua ./lua
COPY migrations ./migrations
COPY schema ./schema
COPY packages/platform ./packages/platform
# This build does not check types: `npm run check` does.
RUN node scripts/build-unchecked.mjs --to-run && node scripts/bundle-entry-points.mjs && mkdir /packed && npm pack --ignore-scripts --pack-destination /packed . ./packages/platform
# Installs the same packages as `npm i tollgate-platform`, in the versions of the lock file.
WORKDIR /app
RUN cp /build/package-lock.json /build/.npmrc . && npm install --omit=dev --no-workspaces --ignore-scripts /packed/*.tgz

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
# The platform writes only to this folder: the snapshot of the last valid ruleset, and the embedded database.
RUN mkdir /data && chown node:node /data
# The platform listens on all addresses, because clients outside of the container cannot connect to its loopback address.
ENV TOLLGATE_DATA_DIR=/data HOST=0.0.0.0
VOLUME /data
USER node
EXPOSE 4000 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 4000) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Starts Node without npm, so that Node receives the signals and can complete requests in flight.
CMD ["node", "node_modules/tollgate-platform/bin/tollgate-platform.js", "start"]
