# The image of `strategybot serve` and of `strategybot worker`. A test carries out its RUN, CMD and HEALTHCHECK lines.
# Both images are pinned by digest: `docker buildx imagetools inspect IMAGE` prints the newest one.

FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS site
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --omit=dev --loglevel=error
COPY web ./
RUN npm run --silent build

FROM python:3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b AS program
WORKDIR /build
RUN python3 -m venv /build/tools
COPY requirements-build.lock ./
RUN /build/tools/bin/python -m pip install --quiet --no-cache-dir --require-hashes -r requirements-build.lock
RUN python3 -m venv /opt/strategybot
COPY requirements.lock ./
RUN /opt/strategybot/bin/python -m pip install --quiet --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml hatch_build.py README.md ./
COPY docs/strategy-language.md ./docs/
COPY src ./src
COPY client ./client
COPY --from=site /build/src/strategybot/site ./src/strategybot/site
RUN HATCH_BUILD_NO_HOOKS=true /build/tools/bin/python -m hatchling build --target wheel
RUN /opt/strategybot/bin/python -m pip install --quiet --no-cache-dir --no-deps /build/dist/strategybot-*.whl

FROM python:3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b
ENV PATH=/opt/strategybot/bin:/usr/local/bin:/usr/bin:/bin
ENV PYTHONUNBUFFERED=1 HOME=/var/lib/strategybot NUMBA_CACHE_DIR=/var/cache/strategybot
ENV STRATEGYBOT_HOST=0.0.0.0 STRATEGYBOT_PORT=8000 STRATEGYBOT_DATA_DIR=/var/lib/strategybot
COPY --from=program /opt/strategybot /opt/strategybot
RUN install -d -m 700 -o 10001 -g 10001 /var/lib/strategybot /var/cache/strategybot
# Compiled now, and owned by whoever will use it: nobody waits for it later.
RUN python -m strategybot.warm_up && chown -R 10001:10001 /var/cache/strategybot
USER 10001:10001
WORKDIR /var/lib/strategybot
VOLUME /var/lib/strategybot
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=5)"]
CMD ["strategybot", "serve"]
