# Two images: `farm` (apps and gateway) and `front` (the same with HAProxy). docs/containers.md is their page.
#
#   docker build --target farm --tag mcp-farm .
#   docker build --target front --tag mcp-farm-front .
#
# Any base with Python 3.11 or newer, its venv and pip, and Debian's packages will do.
ARG BASE_IMAGE=python:3.12-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /src
RUN python3 -m venv /opt/farm
# What the farm needs comes before the farm, so that a change of its code does not fetch it again.
COPY pyproject.toml requirements.lock ./
RUN python3 -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" > needed.txt \
    && /opt/farm/bin/pip install --no-cache-dir --disable-pip-version-check --constraint requirements.lock --requirement needed.txt
COPY . .
RUN /opt/farm/bin/pip install --no-cache-dir --disable-pip-version-check --constraint requirements.lock . \
    && /opt/farm/bin/pip uninstall --yes --quiet pip setuptools
# By this a build finds this stage again, which has no name once the images are made.
ARG BUILD=mcp-farm
LABEL mcp-farm.build=${BUILD}

FROM ${BASE_IMAGE} AS runtime
COPY --from=build /opt/farm /opt/farm
RUN mkdir -m 700 /data && chown 10001:10001 /data
ENV PATH=/opt/farm/bin:$PATH HOME=/tmp PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 FARM_DATA=/data
EXPOSE 8700
# Every part answers /healthz on its port for agents; the front and the gateway once all apps do.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["python3", "-ISc", "import socket; s = socket.create_connection(('127.0.0.1', 8700), 2); s.sendall(b'GET /healthz HTTP/1.1\\r\\nhost: localhost\\r\\nconnection: close\\r\\n\\r\\n'); raise SystemExit(b' 200 ' not in s.recv(64))"]

FROM runtime AS farm
USER 10001:10001
VOLUME /data
CMD ["farm", "--help"]

FROM runtime AS front
RUN apt-get update && apt-get install --yes --no-install-recommends haproxy \
    && apt-get clean && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin
USER 10001:10001
CMD ["farm", "front", "--help"]
