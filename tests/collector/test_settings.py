"""Where a setting comes from, what is refused, and that all of them are documented."""

import tomllib
from pathlib import Path

import pytest

from analyzers import ANALYZERS
from collector.cli.options import settings_table
from collector.errors import UsageError
from collector.settings import Settings, load_settings

DOC = Path(__file__).parents[2] / "docs" / "settings.md"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    return path


def test_command_line_before_environment_before_file_before_default(tmp_path):
    config = written(tmp_path, 'http_port = 1\ngrpc_port = 2\nhost = "file"\n')
    environ = {"TIGHTROPE_HTTP_PORT": "3", "TIGHTROPE_HOST": "environment", "HTTP_PORT": "9"}
    settings = load_settings({"http_port": "4", "grpc_port": None}, environ=environ, config=config)
    assert (settings.http_port, settings.host, settings.grpc_port) == (4, "environment", 2)
    assert settings.threads == Settings().threads


def test_the_environment_names_the_file(tmp_path):
    config = written(tmp_path, "threads = 7")
    assert load_settings(environ={"TIGHTROPE_CONFIG": str(config)}).threads == 7


def test_tightrope_toml_of_the_current_folder_is_read(tmp_path, monkeypatch):
    (tmp_path / "tightrope.toml").write_text("threads = 5")
    monkeypatch.chdir(tmp_path)
    assert load_settings(environ={}).threads == 5


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("yes", True), ("TRUE", True), ("off", False), ("", False)]
)
def test_booleans_are_words(text, value):
    assert load_settings(environ={"TIGHTROPE_INSECURE": text}).insecure is value


def test_lists_are_arrays_in_the_file_and_commas_in_the_environment(tmp_path):
    config = written(tmp_path, 'cors_origins = ["http://a", "http://b"]')
    assert load_settings(environ={}, config=config).cors_origins == ("http://a", "http://b")
    found = load_settings(environ={"TIGHTROPE_CORS_ORIGINS": "http://a, http://b,"}).cors_origins
    assert found == ("http://a", "http://b")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("htp_port = 1", "unknown key 'htp_port'"),
        ("http_port = ", "is not TOML"),
        ('http_port = "many"', "http_port must be of type int"),
        ('insecure = "perhaps"', "insecure must be of type bool"),
        ("analyzers = 3", "analyzers must be of type"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path, text, told):
    with pytest.raises(UsageError, match=told) as refusal:
        load_settings(environ={}, config=written(tmp_path, text))
    assert "\n" not in str(refusal.value)


def test_a_named_file_that_is_missing_is_an_error(tmp_path):
    with pytest.raises(UsageError, match=r"missing\.toml cannot be read"):
        load_settings(environ={}, config=tmp_path / "missing.toml")


def test_the_documented_table_is_that_of_the_code():
    text = DOC.read_text("utf-8")
    shown = text.partition("<!-- settings -->\n")[2].partition("\n<!-- /settings -->")[0]
    assert shown == settings_table(), "put the text of collector.cli.options.settings_table() there"


def test_the_documented_file_is_accepted(tmp_path):
    example = DOC.read_text("utf-8").partition("```toml\n")[2].partition("```")[0]
    settings = load_settings(environ={}, config=written(tmp_path, example))
    assert settings.rescue_patterns == tuple(tomllib.loads(example)["rescue_patterns"])
    known = {analyzer.kind: analyzer for analyzer in ANALYZERS}
    assert settings.analyzers
    for kind, values in settings.analyzers.items():
        assert known[kind].configure(dict(values)) != known[kind].settings


def test_a_misspelt_variable_is_refused_with_the_right_name():
    with pytest.raises(UsageError, match="no setting TIGHTROPE_HTPP_PORT: is TIGHTROPE_HTTP_PORT meant"):
        load_settings(environ={"TIGHTROPE_HTPP_PORT": "1"})
    with pytest.raises(UsageError, match="TIGHTROPE_ANALYZERS"):
        load_settings(environ={"TIGHTROPE_ANALYZERS": "{}"})


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        ({}, "http://127.0.0.1:4318"),
        ({"HTTP_PORT": "5000"}, "http://127.0.0.1:5000"),
        ({"HOST": "0.0.0.0"}, "http://127.0.0.1:4318"),
        ({"HOST": "::1", "HTTP_PORT": "9"}, "http://[::1]:9"),
        ({"HTTP_PORT": "5000", "URL": "http://elsewhere:1"}, "http://elsewhere:1"),
    ],
)
def test_the_url_follows_host_and_port_unless_it_is_set(environ, url):
    assert load_settings(environ={f"TIGHTROPE_{name}": value for name, value in environ.items()}).url == url
