# One image for both services; docker-compose.yml says what each of them runs.
FROM python:3.12-slim AS build

WORKDIR /src
RUN python -m venv /opt/tightrope
ENV PATH=/opt/tightrope/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY constraints.txt ./
RUN pip install --require-hashes -r constraints.txt
COPY pyproject.toml README.md LICENSE ./
COPY sdk sdk
COPY analyzers analyzers
COPY collector collector
COPY dashboard dashboard
COPY docs/findings docs/findings
RUN pip install --no-deps --no-build-isolation ./sdk .

FROM python:3.12-slim

RUN useradd --system --uid 10001 --create-home tightrope && install -d -o tightrope -g tightrope /data
COPY --from=build /opt/tightrope /opt/tightrope
ENV PATH=/opt/tightrope/bin:$PATH PYTHONUNBUFFERED=1 TIGHTROPE_DATA=/data
USER tightrope
WORKDIR /home/tightrope
VOLUME /data
EXPOSE 4317 4318 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:4318/readyz', timeout=4)"]
CMD ["tightrope", "up", "--no-dashboard", "--host", "0.0.0.0"]
