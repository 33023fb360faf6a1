# The platform in an image of its own: docker build -t tollgate .
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Also where the base image or the builder says NODE_ENV=production: what builds is one of them. What only tests need is not.
RUN npm ci --include=dev --no-workspaces
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build-unchecked.mjs scripts/inline-files.mjs scripts/build-platform.mjs scripts/bundle-entry-points.mjs ./scripts/
COPY src ./src
COPY console ./console
COPY lua ./lua
COPY migrations ./migrations
COPY schema ./schema
COPY packages/platform ./packages/platform
# Types are checked where the sources are tested.
RUN node scripts/build-unchecked.mjs --to-run && node scripts/bundle-entry-points.mjs && mkdir /packed && npm pack --ignore-scripts --pack-destination /packed . ./packages/platform
# What `npm i tollgate-platform` gives, in the versions of this lock file.
WORKDIR /app
RUN cp /build/package-lock.json /build/.npmrc . && npm install --omit=dev --no-workspaces --ignore-scripts /packed/*.tgz

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
# The snapshot of the last good ruleset, or the embedded database, and nothing else, is written here.
RUN mkdir /data && chown node:node /data
# All addresses: a container that listens on its own loopback cannot be reached.
ENV TOLLGATE_DATA_DIR=/data HOST=0.0.0.0
VOLUME /data
USER node
EXPOSE 4000 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 4000) + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: signals go to the process that drains.
CMD ["node", "node_modules/tollgate-platform/bin/tollgate-platform.js", "start"]
